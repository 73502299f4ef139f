"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { type ConnectionState, connectStream } from "@/components/shared/connect-stream";
import { useMarketClock } from "@/components/shared/market-clock";
import type { Extras } from "@/features/quotes/extras";
import { loadExtras } from "@/features/quotes/load-extras";
import { createRowDrain } from "@/features/quotes/row-drain";
import type { PriceHistory } from "@/features/quotes/row/price-history";
import type { BoardInstrument, BoardSnapshot, BoardUpdate } from "@/features/quotes/types";

/** How often some of the lines are drawn again. */
const DRAW_MS = 1_000;

interface BoardSinks {
  readonly history: PriceHistory;
  readonly extras: Extras;
  /** What the page was rendered with. */
  readonly initial: Pick<BoardUpdate, "rows" | "days">;
  readonly instruments: readonly BoardInstrument[];
}

/**
 * Fills the cache, the history and the lines from the server while the board is on the page. Returns the state of the
 * connection, and why there is no stream if the server refuses one.
 */
export function useBoard({ history, extras, initial, instruments }: BoardSinks): {
  readonly state: ConnectionState;
  readonly note: string | null;
} {
  const client = useQueryClient();
  const clock = useMarketClock();
  const router = useRouter();
  const [state, setState] = useState<ConnectionState>("connecting");
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    const drain = createRowDrain(client);
    const { lines, stop: stopLoading } = loadExtras(extras, instruments);
    lines.addDays(initial.days ?? []);
    const disconnect = connectStream<BoardSnapshot>({
      streamUrl: "/quotes/stream",
      eventName: "board",
      pollUrl: "/quotes/snapshot",
      onMessage({ nowMs, rows, days = [], note = null }) {
        setNote(note);
        clock.set(nowMs);
        history.add(rows, nowMs, performance.now());
        lines.addDays(days);
        lines.addRows(rows);
        drain.add(rows, days);
      },
      onState: setState,
      // The page checks the session itself and redirects to sign in, and back here afterwards.
      onSignedOut: () => router.refresh(),
    });
    const drawing = setInterval(() => lines.draw(), DRAW_MS);
    return () => {
      disconnect();
      drain.stop();
      clearInterval(drawing);
      stopLoading();
    };
  }, [client, clock, history, extras, initial, instruments, router]);
  return { state, note };
}
