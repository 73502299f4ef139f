import { notifyManager, type QueryClient } from "@tanstack/react-query";
import { readWireDay, toNextRow, withDay } from "@/features/quotes/board-row";
import { getRowKey } from "@/features/quotes/row/quote-row";
import type { BoardRow, WireDay, WireRow } from "@/features/quotes/types";
import type { TradingDay } from "@/lib/market/day-change";

/** Many changes at once are rendered over several frames, so that no frame takes long. */
const ROWS_A_FRAME = 40;

interface Waiting {
  row?: WireRow;
  day?: TradingDay;
}

function toUpdatedRow(before: BoardRow | null, { row, day }: Waiting): BoardRow | null {
  const next = row === undefined ? before : toNextRow(before ?? undefined, row);
  return next === null || day === undefined ? next : withDay(next, day);
}

/** Writes rows and days into the cache, at most `ROWS_A_FRAME` in a frame. */
export function createRowDrain(client: QueryClient) {
  const waiting = new Map<string, Waiting>();
  /** The days of symbols without a row: the first row gets them. */
  const days = new Map<string, TradingDay>();
  let frame = 0;

  function apply(symbol: string, update: Waiting): void {
    client.setQueryData<BoardRow | null>(getRowKey(symbol), (before = null) => {
      const day = update.day ?? (before === null ? days.get(symbol) : undefined);
      return toUpdatedRow(before, { ...update, ...(day === undefined ? {} : { day }) });
    });
  }

  function drain(): void {
    frame = 0;
    let left = ROWS_A_FRAME;
    notifyManager.batch(() => {
      for (const [symbol, update] of waiting) {
        if (left-- === 0) break;
        waiting.delete(symbol);
        apply(symbol, update);
      }
    });
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
