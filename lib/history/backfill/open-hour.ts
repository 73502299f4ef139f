import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import type { Outage } from "@/lib/history/gaps/gap-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { type HourColumns, type SecondRow, SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import type { Cause } from "@/lib/history/proof/hour-proofs";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** The past of a symbol in an hour that is still open, of one source. */
export interface OpenHour {
  readonly columns: HourColumns;
  readonly source: string;
}

/** Rows in one statement: a few milliseconds of this thread. */
const ROWS_PER_STATEMENT = 1_000;
/** A broker's clock may be this far behind: its first prices can be dated before recording began. */
const BEHIND_SECONDS = 5;

export interface OpenHourOptions {
  /** Writes rows to the journal, with what they came from. */
  readonly append: (rows: readonly SecondRow[], cause: Cause) => Promise<void>;
  readonly keeper: HistoryKeeper;
  readonly marketNow: Clock;
  /** When no server recorded, of the time whose seconds are filled, oldest first. */
  readonly outages: readonly Outage[];
  /** When recording began, on the market clock. */
  readonly startedAtMs: number;
}

/**
 * Fills the missed part of an hour that is still open: of the time in which no server recorded, what is after the last
 * second that one did record, until recording began. Does nothing once the hour is over.
 */
export async function fillOpenHour(
  { append, keeper, marketNow, startedAtMs, outages }: OpenHourOptions,
  { columns, source }: OpenHour,
): Promise<void> {
  const { symbol, hourMs } = columns;
  const { openHours } = keeper;
  const startedAt = Math.floor(startedAtMs / 1000);
  let stoppedAt = hourMs / 1000 - 1;
  for (let second = stoppedAt + 1; second < startedAt - BEHIND_SECONDS; second++) {
    if (openHours.readSecond(symbol, second) !== undefined) stoppedAt = second;
  }
  const missed = listRows(columns).filter(({ second }) => second > stoppedAt && second < startedAt);
  for (const outage of outages) {
    const isIn = ({ second }: SecondRow) => second >= (outage.from ?? -Infinity) && second < outage.to;
    const filled = missed.filter(isIn);
    for (let at = 0; at < filled.length; at += ROWS_PER_STATEMENT) {
      // An hour that is over is closed soon; a later write would open it again.
      if (marketNow() >= hourMs + HOUR_MS) return;
      const rows = filled
        .slice(at, at + ROWS_PER_STATEMENT)
        .filter(({ second }) => openHours.readSecond(symbol, second) === undefined);
      await append(rows, toCause(outage, source));
      keeper.onRecorded(rows, openHours.completeUntilMs);
    }
  }
}

/** What the seconds of an outage come from: before the first recording they are made up, later a gap is filled. */
function toCause({ from, to }: Outage, source: string): Cause {
  const toIso = (second: number) => new Date(second * SECOND_MS).toISOString();
  return from === null ? { kind: "generated" } : { kind: "filled", source, from: toIso(from), to: toIso(to) };
}

function listRows({ symbol, digits, hourMs, updates, bid, ask, open, high, low }: HourColumns): SecondRow[] {
  const rows: SecondRow[] = [];
  for (let at = 0; at < SECONDS_PER_HOUR; at++) {
    if (updates[at] === 0) continue;
    const [bidPoints, askPoints] = [bid[at] as number, ask[at] as number];
    const range = { open: open[at] as number, high: high[at] as number, low: low[at] as number };
    const second = hourMs / 1000 + at;
    rows.push({ symbol, digits, second, bid: bidPoints, ask: askPoints, ...range, updates: updates[at] as number });
  }
  return rows;
}

const GENERATED: Cause = { kind: "generated" };
const WAIT_MS = SECOND_MS;

/** Finds why a closed hour of a symbol was missing: no server ran, or it is before the first recording. */
export function listCauses(outages: readonly Outage[], source: string): (hourMs: number) => Cause {
  const causes = outages.map((outage) => ({ ...outage, cause: toCause(outage, source) }));
  return (hourMs) => {
    const [first, end] = [hourMs / SECOND_MS, (hourMs + HOUR_MS) / SECOND_MS];
    return causes.find(({ from, to }) => (from ?? -Infinity) <= first && end <= to)?.cause ?? GENERATED;
  };
}

/**
 * Waits until the recorder has closed the hours of a symbol before `endMs`, which it would else close over what is filled.
 * It waits until a moment of `performance.now()` at most.
 */
export async function waitForClosed(client: PoolClient, symbol: string, endMs: number, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const { rows } = await client.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM tick_second
                       WHERE symbol = $2 AND second < $1 AND second - second % 3600 NOT IN (SELECT second FROM closed_hour)) AS open`,
      [endMs / SECOND_MS, symbol],
    );
    if (rows[0]?.open !== true) return;
    await sleep(WAIT_MS);
  }
}
