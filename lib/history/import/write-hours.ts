import type { Pool, PoolClient } from "pg";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { openBlocks } from "@/lib/history/bars/bar-packs";
import {
  formatJoined,
  JOINED_COLUMNS,
  joinHours,
  REPLACED,
  TIMEFRAME_MINUTES,
  toBarColumns,
} from "@/lib/history/bars/bar-rows";
import { inTransaction } from "@/lib/history/hour-store";
import { countRows, type HourPart, mergeParts, type PackedPart, packPart } from "@/lib/history/import/hour-parts";
import {
  type ComposedHour,
  composeHour,
  type OriginBar,
  query,
  readClosed,
  readOpen,
  readParts,
  readRecorded,
  unpackParts,
  writeParts,
} from "@/lib/history/import/import-rows";
import { type Piece, writeSpans } from "@/lib/history/imported-spans";
import { readRecorderClock } from "@/lib/history/recording/recorder-lease";
import { SERVED, toSpreadHour } from "@/lib/history/spreads/spread-rollup";
import { writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { tickHourStore } from "@/lib/history/ticks/tick-history";
import { getBuiltInDigits } from "@/lib/market/catalog";
import { getBarEnd, getBarStart, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly Timeframe[];

/** Back-filling may have added the same bar meanwhile. */
const ON_CONFLICT = `ON CONFLICT (symbol, timeframe, time) DO UPDATE SET ${REPLACED}, origin = excluded.origin`;

interface Options {
  readonly symbol: string;
  /** Spreads are stored from here on: older ones would be removed at once. UTC milliseconds. */
  readonly spreadsFromMs: number;
}

/**
 * Replaces the ticks, bars and spreads of hours of one symbol by composed ones, in the caller's transaction. Bars longer
 * than an hour are joined again.
 */
export async function writeHours(
  client: PoolClient,
  hours: readonly ComposedHour[],
  { symbol, spreadsFromMs }: Options,
): Promise<void> {
  if (hours.length === 0) return;
  const starts = hours.map(({ columns }) => columns.hourMs);
  const withTicks = hours.map(({ columns }) => columns).filter(({ count }) => count > 0);
  const barsOnly = hours.filter(({ columns }) => columns.count === 0).map(({ columns }) => columns.hourMs / HOUR_MS);
  await tickHourStore.writeHour(client, withTicks);
  if (barsOnly.length > 0) {
    await query(client, "DELETE FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [symbol, barsOnly]);
    await query(
      client,
      "DELETE FROM spread_hour WHERE symbol = $1 AND source = $2 AND hour = ANY (SELECT to_timestamp(unnest($3::float8[])))",
      [symbol, SERVED, barsOnly.map((hour) => hour * 3_600)],
    );
  }
  await writeSpreadHours(client, withTicks.filter(({ hourMs }) => hourMs >= spreadsFromMs).map(toSpreadHour));
  const lastMs = starts.reduce((a, b) => Math.max(a, b));
  const firstMs = starts.reduce((a, b) => Math.min(a, b));
  await openBlocks(client, [symbol], firstMs, lastMs + HOUR_MS);
  await deleteHourBars(client, symbol, starts);
  await insertOriginBars(
    client,
    symbol,
    hours.flatMap(({ bars }) => bars),
  );
  await joinLongBars(client, symbol, starts);
  await writeSpans(client, symbol, new Map(hours.map((hour) => [hour.columns.hourMs / SECOND_MS, listPieces(hour)])));
  const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, firstMs) }));
  await forgetBars(client, [symbol], changes);
}

/** What an hour has that was imported, and what was not: the whole hour if all of it is of one kind, else its minutes. */
function listPieces({ columns, bars }: ComposedHour): Piece[] {
  const isImported = ({ origin }: OriginBar) => origin !== null;
  const [first] = bars;
  if (first === undefined) return [];
  const isMixed = bars.some((bar) => isImported(bar) !== isImported(first));
  const toPiece = (fromMs: number, lengthMs: number, piece: boolean) => {
    return { since: fromMs / SECOND_MS, until: (fromMs + lengthMs) / SECOND_MS, isImported: piece };
  };
  if (!isMixed) return [toPiece(columns.hourMs, HOUR_MS, isImported(first))];
  const minutes = bars.filter(({ timeframe }) => timeframe === "M1");
  return minutes.map((bar) => toPiece(bar.timeMs, MINUTE_MS, isImported(bar)));
}

/** Deletes by a range of times and then by hour: joined with a list of hours, the whole table would be read. */
async function deleteHourBars(client: PoolClient, symbol: string, starts: readonly number[]): Promise<void> {
  const hours = starts.map((startMs) => startMs / HOUR_MS);
  await query(
    client,
    `DELETE FROM bar
      WHERE symbol = $1 AND timeframe = ANY (ARRAY[1, 5, 15, 30, 60]::int2[]) AND time >= $2::int4 AND time < $3::int4
        AND time / 3600 = ANY ($4::int4[])`,
    [symbol, Math.min(...hours) * 3_600, (Math.max(...hours) + 1) * 3_600, hours],
  );
}

async function insertOriginBars(client: PoolClient, symbol: string, bars: readonly OriginBar[]): Promise<void> {
  if (bars.length === 0) return;
  const { prices, digits, wide } = toBarColumns(bars.map((bar) => ({ ...bar, symbol })));
  await query(
    client,
    `INSERT INTO bar (symbol, timeframe, time, volume, origin, digits, wide, open, high, low, close)
     SELECT $1, timeframe, time, volume, origin, digits, wide::int8[], open, high, low, close
       FROM unnest($2::int2[], $3::int4[], $4::int4[], $5::text[], $6::int2[], $7::text[], $8::int4[], $9::int4[], $10::int4[],
                   $11::int4[])
            AS row (timeframe, time, volume, origin, digits, wide, open, high, low, close)
     ${ON_CONFLICT}`,
    [
      symbol,
      bars.map(({ timeframe }) => TIMEFRAME_MINUTES[timeframe]),
      bars.map(({ timeMs }) => timeMs / 1000),
      bars.map(({ volume }) => volume),
      bars.map(({ origin }) => origin),
      digits,
      wide,
      ...prices,
    ],
  );
}

/** Joins every longer bar that contains one of the hours from its H1 bars; one without H1 bars is removed. */
export async function joinLongBars(client: PoolClient, symbol: string, starts: readonly number[]): Promise<void> {
  const spans = BEYOND_AN_HOUR.flatMap((timeframe) =>
    [...new Set(starts.map((startMs) => getBarStart(timeframe, startMs)))].map((startMs) => ({
      length: TIMEFRAME_MINUTES[timeframe],
      start: startMs / 1000,
      end: getBarEnd(timeframe, startMs) / 1000,
    })),
  );
  for (const timeframe of BEYOND_AN_HOUR) {
    const length = TIMEFRAME_MINUTES[timeframe];
    await query(client, "DELETE FROM bar WHERE symbol = $1 AND timeframe = $2::int2 AND time = ANY ($3::int4[])", [
      symbol,
      length,
      spans.filter((span) => span.length === length).map(({ start }) => start),
    ]);
  }
  const ofSpan = "symbol = $1 AND time >= start AND time < finish";
  await query(
    client,
    `INSERT INTO bar (symbol, timeframe, time, ${JOINED_COLUMNS}, origin)
     SELECT $1, length, start, ${formatJoined("$5::int2")}, joined.origin
       FROM unnest($2::int2[], $3::int4[], $4::int4[]) AS span (length, start, finish),
            LATERAL (${joinHours(ofSpan, "$5::int2")}) AS joined
     ${ON_CONFLICT}`,
    [
      symbol,
      spans.map(({ length }) => length),
      spans.map(({ start }) => start),
      spans.map(({ end }) => end),
      getBuiltInDigits(symbol),
    ],
  );
}

/** The imported part of some hours of one symbol and source. Hours are counted since 1970. */
export interface Batch {
  readonly symbol: string;
  readonly parts: ReadonlyMap<number, HourPart>;
}

export interface StoreOptions {
  /** Sources in the order of their priority. */
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
  /** Writes what belongs to the batch, such as how far its file was read, in the same transaction. */
  readonly alongside: (client: PoolClient, stored: StoredBatch) => Promise<void>;
}

export interface StoredBatch {
  /** Rows that are new in the database. */
  readonly added: number;
  /** Rows of hours that the recorder is still filling or has not reached. They are not stored. */
  readonly open: number;
}

/**
 * Stores a batch in one transaction: again, it changes nothing. Hours that the recorder is filling are left to it, and so
 * are all after its market clock: a replay at its own time must not show its future. The recorder closes no hour
 * meanwhile.
 */
export function storeBatch(pool: Pool, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  return inTransaction(pool, async (client) => {
    await lockClosedHours(client);
    const isOpen = await readOpenHours(client);
    const parts = [...batch.parts].filter(([hour]) => !isOpen(hour));
    const added = await addParts(client, { ...batch, parts: new Map(parts) }, options);
    const stored = { added, open: countOpen(batch, isOpen) };
    await options.alongside(client, stored);
    return stored;
  });
}

/** Checks that a batch can be packed, and returns how many of its rows would be left to the recorder. Stores nothing. */
export async function tryBatch(pool: Pool, batch: Batch): Promise<number> {
  for (const [hour, part] of batch.parts) packPart(part, { symbol: batch.symbol, hourMs: hour * HOUR_MS });
  const client = await pool.connect();
  try {
    return countOpen(batch, await readOpenHours(client));
  } finally {
    client.release();
  }
}

/** Tells of hours whether they are the recorder's. */
async function readOpenHours(client: PoolClient): Promise<(hour: number) => boolean> {
  const open = await readOpen(client);
  const closed = await readClosed(client, [...open]);
  const presentHour = ((await readRecorderClock(client)) ?? Infinity) / HOUR_MS;
  return (hour) => (open.has(hour) && !closed.has(hour)) || hour + 1 > presentHour;
}

function countOpen({ parts }: Batch, isOpen: (hour: number) => boolean): number {
  return [...parts].reduce((sum, [hour, part]) => sum + (isOpen(hour) ? countRows(part) : 0), 0);
}

/**
 * Keeps the recorder from closing an hour, and other imports from writing, until the transaction ends. The recorder takes
 * the two locks in the same order.
 */
export async function lockClosedHours(client: PoolClient): Promise<void> {
  await client.query("LOCK TABLE closed_hour IN SHARE MODE");
  await lockImports(client);
}

/** Keeps imports from writing until the transaction ends. */
export async function lockImports(client: PoolClient): Promise<void> {
  await client.query("SELECT FROM history_revision FOR UPDATE");
}

/** Tells servers that hours were imported. */
export async function raiseImports(client: PoolClient): Promise<void> {
  await client.query("UPDATE history_revision SET imports = imports + 1");
}

async function addParts(
  client: PoolClient,
  { symbol, parts }: Batch,
  { priority, spreadsFromMs }: StoreOptions,
): Promise<number> {
  const hours = [...parts.keys()];
  const stored = await readParts(client, symbol, hours);
  const closed = await readClosed(client, hours);
  const recorded = await readRecorded(
    client,
    symbol,
    hours.filter((hour) => closed.has(hour) && !stored.has(hour)),
  );
  const written: (PackedPart & { readonly hour: number })[] = [];
  const composed = [];
  let added = 0;
  for (const [hour, part] of parts) {
    const place = { symbol, hourMs: hour * HOUR_MS };
    const packed = stored.get(hour) ?? (recorded.get(hour) ?? []).map((each) => packPart(each, place));
    const isOwn = ({ source, timeframe }: PackedPart) => source === part.source && timeframe === part.timeframe;
    const own = packed.find(isOwn);
    const [before] = own === undefined ? [] : unpackParts([own], place);
    const merged = before === undefined ? part : mergeParts(before, part);
    const block = packPart(merged, place);
    if (own?.block.equals(block.block) === true) continue;
    added += countRows(merged) - (before === undefined ? 0 : countRows(before));
    written.push({ ...block, hour });
    if (!stored.has(hour)) for (const each of packed) written.push({ ...each, hour });
    const others = unpackParts(
      packed.filter((each) => !isOwn(each)),
      place,
    );
    composed.push(composeHour([...others, merged], { ...place, priority }));
  }
  await writeParts(client, symbol, written);
  await writeHours(client, composed, { symbol, spreadsFromMs });
  if (composed.length > 0) await raiseImports(client);
  return added;
}
