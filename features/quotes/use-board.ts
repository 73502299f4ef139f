"use client";

import { notifyManager, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useMarketClock } from "@/components/shared/market-clock";
import { toNextRow } from "@/features/quotes/board-row";
import type { PriceHistory } from "@/features/quotes/price-history";
import { getRowKey } from "@/features/quotes/quote-row";
import { connectBoard, type ConnectionState } from "@/features/quotes/stream/board-connection";
import type { BoardRow, WireRow } from "@/features/quotes/types";

/** Many changes at once are rendered over several frames, so that no frame takes long. */
const ROWS_A_FRAME = 40;

function createDrain(client: QueryClient) {
  const waiting = new Map<string, WireRow>();
  let frame = 0;

  function drain(): void {
    frame = 0;
    let left = ROWS_A_FRAME;
    notifyManager.batch(() => {
      for (const [symbol, wire] of waiting) {
        if (left-- === 0) break;
        waiting.delete(symbol);
        client.setQueryData<BoardRow | null>(getRowKey(symbol), (before) => toNextRow(before ?? undefined, wire));
      }
    });
    if (waiting.size > 0) frame = requestAnimationFrame(drain);
  }

  return {
    add(rows: readonly WireRow[]): void {
      // Only the newest row of a symbol waits, so that no backlog grows in a hidden tab.
      for (const row of rows) waiting.set(row[0], row);
      if (frame === 0 && waiting.size > 0) frame = requestAnimationFrame(drain);
    },
    stop: () => cancelAnimationFrame(frame),
  };
}

/**
 * Fills the cache and the history from the server while the board is on the page. Returns the state of the connection,
 * and why there is no stream if the server refuses one.
 */
export function useBoard(history: PriceHistory): { readonly state: ConnectionState; readonly note: string | null } {
  const client = useQueryClient();
  const clock = useMarketClock();
  const router = useRouter();
  const [state, setState] = useState<ConnectionState>("connecting");
  const [note, setNote] = useState<string | null>(null);
  useEffect(() => {
    const drain = createDrain(client);
    const disconnect = connectBoard({
      onUpdate({ nowMs, rows }) {
        clock.set(nowMs);
        history.add(rows, nowMs, performance.now());
        drain.add(rows);
      },
      onNote: setNote,
      onState: setState,
      // The page checks the session itself and redirects to sign in, and back here afterwards.
      onSignedOut: () => router.refresh(),
    });
    return () => {
      disconnect();
      drain.stop();
    };
  }, [client, clock, history, router]);
  return { state, note };
}
