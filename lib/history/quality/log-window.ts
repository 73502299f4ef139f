import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { decodeBook, type SourceChanges } from "@/lib/history/as-of/book-block";
import { type HourWindow, LEAD, type SourceWindow, WINDOW } from "@/lib/history/quality/judge-hour";
import type { TickTally } from "@/lib/history/quality/tick-tally";
import type { TradingHours } from "@/lib/market/instrument";
import { alignPoints, toPoints } from "@/lib/market/price";
import { isMarketOpen } from "@/lib/market/trading-hours";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** A row of the log of the book, decoded. */
interface LogRow {
  readonly since: number;
  readonly until: number;
  /** Whether it has the book at its beginning. */
  readonly isWhole: boolean;
  readonly symbols: ReadonlyMap<string, readonly SourceChanges[]>;
}

/** The log of an hour and of what is around it. */
export interface LoggedHour {
  readonly hourMs: number;
  readonly rows: readonly LogRow[];
}

/** Reads the log of an hour. Null if nothing of the hour itself was recorded. */
export async function readLoggedHour(pool: Pool, hourMs: number): Promise<LoggedHour | null> {
  const from = hourMs / SECOND_MS - LEAD;
  const to = from + WINDOW;
  const { rows } = await pool.query<{ since: number; until: number; whole: boolean; block: Buffer }>(
    `SELECT since, until, whole, block FROM book_log
      WHERE since >= coalesce((SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1), $1)
        AND since < $2
      ORDER BY since, whole DESC, until`,
    [from, to],
  );
  const [start, end] = [from + LEAD, to - LEAD];
  if (!rows.some(({ since, until }) => since < end && until > start)) return null;
  const decoded: LogRow[] = [];
  for (const { since, until, whole, block } of rows) {
    const symbols = new Map<string, SourceChanges[]>();
    for (const changes of decodeBook(since, block)) {
      const found = symbols.get(changes.symbol);
      if (found === undefined) symbols.set(changes.symbol, [changes]);
      else found.push(changes);
    }
    decoded.push({ since, until, isWhole: whole, symbols });
    // A row takes some milliseconds, and calls are answered in between.
    await nextTurn();
  }
  return { hourMs, rows: decoded };
}

/** The symbols that had a price in the log of an hour. */
export function listLoggedSymbols({ rows }: LoggedHour): string[] {
  return [...new Set(rows.flatMap(({ symbols }) => [...symbols.keys()]))].sort();
}

/** A window of a symbol, with what tells which source was served. */
export interface LoggedWindow extends HourWindow {
  /** The digits of all prices. */
  readonly digits: number;
  /** The seconds of the hour in which each source was served while it was not stale. */
  readonly served: ReadonlyMap<string, number>;
}

interface Options {
  readonly hours: TradingHours;
  /** Names of the sources, most trusted first. Others follow by name. */
  readonly priority: readonly string[];
  readonly tally: Pick<TickTally, "find">;
}

/** Builds the window of one symbol from the log. */
export function createLoggedWindow(
  hour: LoggedHour,
  symbol: string,
  { hours, priority, tally }: Options,
): LoggedWindow {
  const from = hour.hourMs / SECOND_MS - LEAD;
  const parts = hour.rows.flatMap(({ symbols }) => symbols.get(symbol) ?? []);
  const digits = parts.reduce((most, each) => Math.max(most, each.digits), 0);
  const open = new Uint8Array(WINDOW);
  // Markets open and close at whole minutes.
  for (let i = 0; i < WINDOW; i += 60) if (isMarketOpen(hours, (from + i) * SECOND_MS)) open.fill(1, i, i + 60);
  const recorded = new Uint8Array(WINDOW);
  for (const { since, until } of hour.rows) recorded.fill(1, clamp(since - from), clamp(until - from));
  const names = [...new Set(parts.map(({ source }) => source))];
  const rank = (name: string) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const tracks = names.map((source) => {
    const track = fillTrack(hour.rows, { symbol, source, from, digits });
    const tallied = tally.find(hour.hourMs, symbol, source);
    const toColumn = (prices: Float64Array | undefined) =>
      Float64Array.from({ length: 60 }, (_, minute) => {
        const price = prices?.[minute] ?? NaN;
        return Number.isNaN(price) ? NaN : toPoints(price, digits);
      });
    const [highs, lows, lowAsks] = [tallied?.highs, tallied?.lows, tallied?.lowAsks].map(toColumn);
    return { ...track, source, highs, lows, lowAsks } as LoggedTrack;
  });
  return { open, recorded, sources: tracks, digits, served: countServed(tracks, { open, recorded, from }) };
}

interface LoggedTrack extends SourceWindow {
  /** The broker's time, and the age from which the quote was stale, in milliseconds. */
  readonly times: Float64Array;
  readonly stales: Float64Array;
}

function clamp(second: number): number {
  return Math.max(0, Math.min(WINDOW, second));
}

/** What the book had of a source at the end of each second. */
function fillTrack(
  rows: readonly LogRow[],
  { symbol, source, from, digits }: { symbol: string; source: string; from: number; digits: number },
) {
  const column = () => new Float64Array(WINDOW).fill(NaN);
  const [bids, asks, times, stales] = [column(), column(), column(), column()];
  const updated = new Uint8Array(WINDOW);
  let [bid, ask, time, stale] = [NaN, NaN, NaN, NaN];
  const fill = (start: number, end: number) => {
    const [first, last] = [clamp(start - from), clamp(end - from)];
    bids.fill(bid, first, last);
    asks.fill(ask, first, last);
    times.fill(time, first, last);
    stales.fill(stale, first, last);
  };
  let at = from;
  for (const { since, until, isWhole, symbols } of rows) {
    // Nothing is known of the time between two rows that do not continue each other.
    if (since > at || isWhole) [bid, ask, time, stale] = [NaN, NaN, NaN, NaN];
    if (since > at) fill(at, since);
    at = Math.max(at, since);
    const changes = symbols.get(symbol)?.find((each) => each.source === source);
    for (const [i, second] of changes?.seconds.entries() ?? []) {
      const start = Math.max(second, since);
      fill(at, start);
      at = start;
      const isDropped = changes?.asks[i] === 0;
      const align = (points: number) => alignPoints(points, changes?.digits ?? 0, digits);
      bid = isDropped ? NaN : align(changes?.bids[i] as number);
      ask = isDropped ? NaN : align(changes?.asks[i] as number);
      time = changes?.timesMs[i] as number;
      stale = changes?.staleAftersMs[i] as number;
      // One of the second before is the book at the beginning.
      const index = second - from;
      if (second >= since && !isDropped && index >= 0 && index < WINDOW) updated[index] = 1;
    }
    fill(at, until);
    at = Math.max(at, until);
  }
  return { bids, asks, times, stales, updated };
}

/** Counts for each source the open seconds in which it was the first one that was not stale. `tracks` are in their order. */
function countServed(
  tracks: readonly LoggedTrack[],
  { open, recorded, from }: { open: Uint8Array; recorded: Uint8Array; from: number },
): ReadonlyMap<string, number> {
  const served = new Map(tracks.map(({ source }) => [source, 0]));
  for (let i = LEAD; i < LEAD + HOUR_MS / SECOND_MS; i++) {
    if (open[i] === 0 || recorded[i] === 0) continue;
    const endMs = (from + i + 1) * SECOND_MS;
    const first = tracks.find(({ times, stales }) => endMs - (times[i] as number) <= (stales[i] as number));
    if (first !== undefined) served.set(first.source, (served.get(first.source) ?? 0) + 1);
  }
  return served;
}
