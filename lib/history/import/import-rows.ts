import type { PoolClient } from "pg";
import { type PointBar, raiseBar } from "@/lib/history/bars/bar-block";
import { openBlocks } from "@/lib/history/bars/bar-packs";
import { PACKED_BARS, toMinuteBars, unpackBars } from "@/lib/history/bars/bar-rows";
import {
  createHourColumns,
  type HourColumns,
  raiseHour,
  SECONDS_PER_HOUR,
  SECONDS_PER_MINUTE,
  widenHour,
} from "@/lib/history/hour-columns";
import {
  FILLED,
  type HourPart,
  isTickPart,
  MERGED,
  type PackedPart,
  type PartPlace,
  RECORDED,
  type TickList,
  TICKS,
  unpackPart,
} from "@/lib/history/import/hour-parts";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { decodeHour, type HourTicks } from "@/lib/history/ticks/hour-block";
import { getSourceMode } from "@/lib/market/bar";
import { getBarStart, type StoredTimeframe } from "@/lib/market/timeframe";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** The parts of hours in the database. Hours are counted since 1970. */

/** Runs a statement that may take longer than a read. */
export async function query<Row extends object>(client: PoolClient, text: string, values: unknown[]): Promise<Row[]> {
  const statement = { text, values, query_timeout: HOUR_WORK_TIMEOUT_MS };
  const { rows } = await client.query<Row>(statement);
  return rows;
}

interface PartRow extends PackedPart {
  readonly hour: number;
}

/** The stored parts of each hour that has any. */
export async function readParts(
  client: PoolClient,
  symbol: string,
  hours: readonly number[],
): Promise<Map<number, PackedPart[]>> {
  const rows = await query<PartRow>(
    client,
    "SELECT hour, timeframe, source, block FROM import_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])",
    [symbol, hours],
  );
  const found = new Map<number, PackedPart[]>();
  for (const { hour, ...part } of rows) {
    const parts = found.get(hour);
    if (parts === undefined) found.set(hour, [part]);
    else parts.push(part);
  }
  return found;
}

export async function writeParts(
  client: PoolClient,
  symbol: string,
  parts: readonly (PackedPart & { readonly hour: number })[],
): Promise<void> {
  if (parts.length === 0) return;
  await query(
    client,
    `INSERT INTO import_hour (symbol, hour, timeframe, source, block)
     SELECT $1, * FROM unnest($2::int4[], $3::int2[], $4::text[], $5::bytea[])
     ON CONFLICT (symbol, hour, timeframe, source) DO UPDATE SET block = excluded.block`,
    [
      symbol,
      parts.map(({ hour }) => hour),
      parts.map(({ timeframe }) => timeframe),
      parts.map(({ source }) => source),
      parts.map(({ block }) => block),
    ],
  );
}

/** The hours of these that the recorder has closed. */
export async function readClosed(client: PoolClient, hours: readonly number[]): Promise<Set<number>> {
  const rows = await query<{ hour: number }>(
    client,
    "SELECT second / 3600 AS hour FROM closed_hour WHERE second = ANY ($1::int4[])",
    [hours.map((hour) => hour * 3_600)],
  );
  return new Set(rows.map(({ hour }) => hour));
}

/** The hours of the journal: the recorder is still filling them. */
export async function readOpen(client: PoolClient): Promise<Set<number>> {
  const rows = await query<{ second: string }>(
    client,
    `SELECT substring(relname FROM '\\d+$') AS second FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'tick_second'::regclass`,
    [],
  );
  return new Set(rows.map(({ second }) => Number(second) / 3_600));
}

/** What is stored of these hours, as parts of the recorder. */
export async function readRecorded(
  client: PoolClient,
  symbol: string,
  hours: readonly number[],
): Promise<Map<number, HourPart[]>> {
  const found = new Map<number, HourPart[]>();
  if (hours.length === 0) return found;
  const add = (hour: number, part: HourPart) => found.set(hour, [...(found.get(hour) ?? []), part]);
  const blocks = await query<{ hour: number; block: Buffer }>(
    client,
    "SELECT hour, block FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])",
    [symbol, hours],
  );
  for (const { hour, block } of blocks) {
    add(hour, { source: RECORDED, timeframe: TICKS, ticks: toRecordedTicks(decodeHour(block)) });
  }
  await openBlocks(client, [symbol], Math.min(...hours) * HOUR_MS, (Math.max(...hours) + 1) * HOUR_MS);
  const bars = await query<{ hour: number; timeframe: number; bars: Buffer }>(
    client,
    `SELECT time / 3600 AS hour, timeframe, ${PACKED_BARS} AS bars FROM bar
      WHERE symbol = $1 AND timeframe = ANY (ARRAY[1, 5, 15, 30, 60]::int2[]) AND time >= $3::int4 AND time < $4::int4
        AND time / 3600 = ANY ($2::int4[])
      GROUP BY time / 3600, timeframe`,
    [symbol, hours, Math.min(...hours) * 3_600, (Math.max(...hours) + 1) * 3_600],
  );
  for (const row of bars) {
    add(row.hour, { source: RECORDED, timeframe: row.timeframe, bars: unpackBars(symbol, row.bars) });
  }
  return found;
}

/** Unpacks the parts of an hour. */
export function unpackParts(parts: readonly PackedPart[], place: PartPlace): HourPart[] {
  return parts.map((part) => unpackPart(part, place));
}

/** A bar with the source that it was imported from; null for a recorded one. */
export interface OriginBar extends PointBar {
  readonly timeframe: StoredTimeframe;
  readonly origin: string | null;
}

export interface ComposedHour {
  /** The seconds; none if the hour has bars only. */
  readonly columns: HourColumns;
  readonly bars: readonly OriginBar[];
}

interface Options extends PartPlace {
  /** The sources in the order of their priority; others follow by name. */
  readonly priority: readonly string[];
}

const LONGER = [
  ["M5", 5],
  ["M15", 15],
  ["M30", 30],
  ["H1", 60],
] as const satisfies readonly (readonly [StoredTimeframe, number])[];

/**
 * Makes an hour of its parts. Each minute is of one source, so that two brokers never alternate: recorded prices come
 * first, then ticks, then bars, each by priority. Longer bars are joined from shorter ones, and imported where there are
 * none.
 */
export function composeHour(parts: readonly HourPart[], { symbol, hourMs, priority }: Options): ComposedHour {
  const own = parts.filter(({ source }) => source !== FILLED);
  const used = own.length > 0 ? own : parts.map((part) => ({ ...part, source: RECORDED }));
  const ordered = used.toSorted((a, b) => rank(a, priority) - rank(b, priority) || (a.source < b.source ? -1 : 1));
  const folded = ordered.filter(isTickPart).map(({ source, ticks }) => {
    const columns = createHourColumns(symbol, ticks.digits, hourMs);
    foldTicks(columns, ticks);
    return { source, columns };
  });
  const columns = createHourColumns(symbol, folded[0]?.columns.digits ?? 0, hourMs);
  const minutes = new Map<number, OriginBar>();
  const add = (bar: PointBar, source: string) =>
    minutes.has(bar.timeMs) ||
    minutes.set(bar.timeMs, { ...bar, timeframe: "M1", origin: source === RECORDED ? null : source });
  const bars = ordered.flatMap((part) => (isTickPart(part) ? [] : [part]));
  // A recorded bar has all updates of its minute; of recorded ticks only the last of each second is stored.
  const recorded = bars.find(({ source, timeframe }) => source === RECORDED && timeframe === 1);
  for (const bar of recorded?.bars ?? []) add(bar, RECORDED);
  for (const { source, columns: from } of folded) {
    copyMissingMinutes(columns, from);
    for (const bar of toMinuteBars(from)) add(bar, source);
  }
  for (const part of bars) if (part.timeframe === 1) for (const bar of part.bars) add(bar, part.source);

  let shorter = sortByTime(minutes.values());
  const all = [...shorter];
  for (const [timeframe, length] of LONGER) {
    const longer = new Map(joinOriginBars(shorter, timeframe).map((bar) => [bar.timeMs, bar]));
    for (const part of bars) {
      if (part.timeframe !== length) continue;
      const origin = part.source === RECORDED ? null : part.source;
      for (const bar of part.bars) {
        if (!longer.has(bar.timeMs)) longer.set(bar.timeMs, { ...bar, timeframe, origin });
      }
    }
    shorter = sortByTime(longer.values());
    all.push(...shorter);
  }
  return { columns, bars: all };
}

function rank({ source }: HourPart, priority: readonly string[]): number {
  if (source === RECORDED) return -1;
  const at = priority.indexOf(source);
  if (at !== -1) return at;
  if (getSourceMode(source) !== "live") return priority.length + 2;
  return priority.length + (source.startsWith(MERGED) ? 1 : 0);
}

function sortByTime(bars: Iterable<OriginBar>): OriginBar[] {
  return [...bars].sort((a, b) => a.timeMs - b.timeMs);
}

/** Adds ticks to an hour as the recorder does: the last one of a second is its price. */
function foldTicks(hour: HourColumns, { ms, bid, ask }: TickList): void {
  if (bid instanceof Float64Array || ask instanceof Float64Array) widenHour(hour);
  const { updates, open, high, low } = hour;
  for (let i = 0; i < ms.length; i++) {
    const at = Math.floor((ms[i] as number) / SECOND_MS);
    const price = bid[i] as number;
    if (updates[at] === 0) {
      open[at] = high[at] = low[at] = price;
      hour.count++;
    } else {
      high[at] = Math.max(high[at] as number, price);
      low[at] = Math.min(low[at] as number, price);
    }
    hour.bid[at] = price;
    hour.ask[at] = ask[i] as number;
    updates[at] = (updates[at] as number) + 1;
  }
}

/** Copies the minutes that have no second yet, and gives both hours the finer digits of the two. */
function copyMissingMinutes(to: HourColumns, from: HourColumns): void {
  raiseHour(to, from.digits);
  raiseHour(from, to.digits);
  if (from.ask instanceof Float64Array || from.high instanceof Float64Array) widenHour(to);
  for (let start = 0; start < SECONDS_PER_HOUR; start += SECONDS_PER_MINUTE) {
    const end = start + SECONDS_PER_MINUTE;
    if (to.updates.subarray(start, end).some((updates) => updates > 0)) continue;
    for (const field of ["updates", "bid", "ask", "open", "high", "low"] as const) {
      to[field].set(from[field].subarray(start, end), start);
    }
    to.count += from.updates.subarray(start, end).reduce((sum, updates) => sum + (updates > 0 ? 1 : 0), 0);
  }
}

/** Joins bars, oldest first. A joined bar has the first origin among its parts. */
function joinOriginBars(bars: readonly OriginBar[], timeframe: StoredTimeframe): OriginBar[] {
  const joined: OriginBar[] = [];
  for (const bar of bars) {
    const timeMs = getBarStart(timeframe, bar.timeMs);
    const last = joined.at(-1);
    if (last?.timeMs !== timeMs) {
      joined.push({ ...bar, timeMs, timeframe });
      continue;
    }
    const digits = Math.max(last.digits, bar.digits);
    const [before, added] = [raiseBar(last, digits), raiseBar(bar, digits)];
    joined[joined.length - 1] = {
      ...before,
      high: Math.max(before.high, added.high),
      low: Math.min(before.low, added.low),
      close: added.close,
      volume: before.volume + added.volume,
      origin: before.origin ?? added.origin,
    };
  }
  return joined;
}

/** The seconds of an hour as ticks, for the part that the recorder had stored. */
export function toRecordedTicks({ digits, seconds, bid, ask }: HourTicks): TickList {
  return { digits, ms: Int32Array.from(seconds, (second) => second * SECOND_MS), bid, ask };
}
