"use client";

import { useRouter } from "next/navigation";
import { useContext, useEffect, useRef, useState } from "react";
import { followTopic } from "@/components/shared/live/follow-topic";
import type { ConnectionState } from "@/components/shared/live/live-hub";
import { useMarketClock } from "@/components/shared/market-clock";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { useShownAt } from "@/components/ui/past";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import { type Extras, loadExtras } from "@/features/quotes/extras";
import type { PriceHistory } from "@/features/quotes/price-history";
import type { SymbolStore } from "@/features/quotes/symbol-store";
import type { BoardRow, BoardSnapshot, BoardUpdate, WireDay, WireRow } from "@/features/quotes/types";
import type { TradingDay } from "@/lib/market/day-change";

/** How often some of the lines are drawn again. */
const DRAW_MS = 1_000;

interface BoardSinks {
  readonly rows: SymbolStore<BoardRow>;
  readonly history: PriceHistory;
  readonly extras: Extras;
  /** What the page was rendered with. */
  readonly initial: Pick<BoardUpdate, "rows" | "days">;
  /** Called with the state of the catalog. It stays the same function. */
  readonly onCatalog: (catalog: string) => void;
}

/**
 * Fills the rows, the history and the lines from the server while the board is on the page. Returns the state of the
 * connection, null on a board of the past, and why there is no stream if the server refuses one.
 */
export function useBoard(sinks: BoardSinks): {
  readonly state: ConnectionState | null;
  readonly note: string | null;
} {
  const { rows: board, history, extras, initial, onCatalog } = sinks;
  const clock = useMarketClock();
  const router = useRouter();
  const at = useShownAt();
  const isPast = at !== null;
  const owner = useContext(PageOwnerContext);
  const [state, setState] = useState<ConnectionState>("connecting");
  const [note, setNote] = useState<string | null>(null);
  usePastBoard(sinks, at);
  useEffect(() => {
    if (isPast) return;
    const drain = createRowDrain(board);
    const { lines, stop: stopLoading } = loadExtras(extras, null);
    lines.addDays(initial.days ?? []);
    const disconnect = followTopic(owner, {
      topic: "board",
      onMessage(message) {
        const { nowMs, rows, days = [], note = null, catalog } = message as BoardSnapshot;
        if (catalog !== undefined) onCatalog(catalog);
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
  }, [board, clock, history, extras, initial, onCatalog, owner, router, isPast]);
  return { state: isPast ? null : state, note };
}

/** Lines of the past are loaded again every ten minutes of it. Its rows extend them between. */
const LOADED_SPAN = "2026-11-27T13:3".length;

/** Fills a board of the past with what the page was rendered with. Seconds only rise: an earlier one is another board. */
function usePastBoard({ rows: board, history, extras, initial }: BoardSinks, at: string | null): void {
  const clock = useMarketClock();
  const lines = useRef<ReturnType<typeof loadExtras>["lines"] | null>(null);
  const newest = useRef(at);
  useEffect(() => void (newest.current = at), [at]);
  const span = at?.slice(0, LOADED_SPAN);
  useEffect(() => {
    if (span === undefined) return;
    const loading = loadExtras(extras, newest.current);
    lines.current = loading.lines;
    const drawing = setInterval(() => loading.lines.draw(), DRAW_MS);
    return () => {
      clearInterval(drawing);
      loading.stop();
    };
  }, [extras, span]);
  useEffect(() => {
    if (span === undefined) return;
    const days = new Map((initial.days ?? []).map((wire) => [wire[0], readWireDay(wire)]));
    for (const wire of initial.rows) {
      const [row, day] = [toNextRow(board.get(wire[0]), wire), days.get(wire[0])];
      board.set(wire[0], day === undefined ? row : withDay(row, day));
    }
    history.add(initial.rows, clock.now(), performance.now());
    lines.current?.addDays(initial.days ?? []);
    lines.current?.addRows(initial.rows);
  }, [board, clock, history, initial, span]);
}

/** Many changes at once are rendered over several frames, so that no frame takes long. */
const ROWS_A_FRAME = 40;

interface Waiting {
  row?: WireRow;
  day?: TradingDay;
}

function toUpdatedRow(before: BoardRow | undefined, { row, day }: Waiting): BoardRow | undefined {
  const next = row === undefined ? before : toNextRow(before, row);
  return next === undefined || day === undefined ? next : withDay(next, day);
}

/** Writes rows and days into the store, at most `ROWS_A_FRAME` of those that are shown in a frame. */
function createRowDrain(board: SymbolStore<BoardRow>) {
  const waiting = new Map<string, Waiting>();
  /** The days of symbols without a row: the first row gets them. */
  const days = new Map<string, TradingDay>();
  let frame = 0;

  function apply(symbol: string, update: Waiting): void {
    const before = board.get(symbol);
    const day = update.day ?? (before === undefined ? days.get(symbol) : undefined);
    const next = toUpdatedRow(before, { ...update, ...(day === undefined ? {} : { day }) });
    if (next !== undefined) board.set(symbol, next);
  }

  function drain(): void {
    frame = 0;
    let left = ROWS_A_FRAME;
    for (const [symbol, update] of waiting) {
      // What nobody sees costs next to nothing.
      if (board.isWatched(symbol) && left-- <= 0) continue;
      waiting.delete(symbol);
      apply(symbol, update);
    }
    if (waiting.size > 0) frame = requestAnimationFrame(drain);
  }

  return {
    add(rows: readonly WireRow[], newDays: readonly WireDay[]): void {
      // Only the newest row of a symbol waits, so that no backlog grows in a hidden tab.
      for (const row of rows) waiting.set(row[0], { ...waiting.get(row[0]), row });
      for (const wire of newDays) {
        const day = readWireDay(wire);
        days.set(wire[0], day);
        waiting.set(wire[0], { ...waiting.get(wire[0]), day });
      }
      if (frame === 0 && waiting.size > 0) frame = requestAnimationFrame(drain);
    },
    stop: () => cancelAnimationFrame(frame),
  };
}
