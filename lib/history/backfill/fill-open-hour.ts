import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { type HourColumns, type SecondRow, SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

/** Rows in one statement: a few milliseconds of this thread. */
const ROWS_PER_STATEMENT = 1_000;
/** A broker's clock may be this far behind: its first prices can be dated before recording began. */
const BEHIND_SECONDS = 5;

interface Options {
  /** Writes rows to the journal. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  readonly keeper: HistoryKeeper;
  readonly marketNow: Clock;
  /** When recording began, on the market clock. */
  readonly startedAtMs: number;
}

/**
 * Records the missed part of an hour that is still open: from its beginning, or from the last second that an earlier run
 * recorded, until recording began. Does nothing once the hour is over.
 */
export async function fillOpenHour(
  { append, keeper, marketNow, startedAtMs }: Options,
  columns: HourColumns,
): Promise<void> {
  const { symbol, hourMs } = columns;
  const { openHours } = keeper;
  const startedAt = Math.floor(startedAtMs / 1000);
  let stoppedAt = hourMs / 1000 - 1;
  for (let second = stoppedAt + 1; second < startedAt - BEHIND_SECONDS; second++) {
    if (openHours.readSecond(symbol, second) !== undefined) stoppedAt = second;
  }
  const missed = listRows(columns).filter(({ second }) => second > stoppedAt && second < startedAt);
  for (let at = 0; at < missed.length; at += ROWS_PER_STATEMENT) {
    // An hour that is over is closed soon; a later write would open it again.
    if (marketNow() >= hourMs + HOUR_MS) return;
    const rows = missed
      .slice(at, at + ROWS_PER_STATEMENT)
      .filter(({ second }) => openHours.readSecond(symbol, second) === undefined);
    await append(rows);
    keeper.onRecorded(rows, openHours.completeUntilMs);
  }
}

function listRows({ symbol, hourMs, updates, bid, ask, open, high, low }: HourColumns): SecondRow[] {
  const rows: SecondRow[] = [];
  for (let at = 0; at < SECONDS_PER_HOUR; at++) {
    if (updates[at] === 0) continue;
    const [bidPoints, askPoints] = [bid[at] as number, ask[at] as number];
    const range = { open: open[at] as number, high: high[at] as number, low: low[at] as number };
    const second = hourMs / 1000 + at;
    rows.push({ symbol, second, bid: bidPoints, ask: askPoints, ...range, updates: updates[at] as number });
  }
  return rows;
}
