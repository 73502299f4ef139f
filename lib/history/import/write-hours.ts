import type { Pool, PoolClient } from "pg";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { openBlocks } from "@/lib/history/bars/bar-packs";
import {
  formatJoined,
  insertBars,
  JOINED_COLUMNS,
  joinHours,
  ON_CONFLICT,
  TIMEFRAME_MINUTES,
} from "@/lib/history/bars/bar-rows";
import { inTransaction } from "@/lib/history/hour-store";
import {
  countRows,
  FILLED,
  type HourPart,
  mergeParts,
  type PackedPart,
  packPart,
  RECORDED,
} from "@/lib/history/import/hour-parts";
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
import { noteChanges, type PartChange, requireClaim, type RunClaim } from "@/lib/history/import/run-claim";
import { type Piece, writeSpans } from "@/lib/history/imported-spans";
import { HOUR_WORK_TIMEOUT_MS } from "@/lib/history/journal";
import { type Cause, proveHours, readTicks } from "@/lib/history/proof/hour-proofs";
import { readRecorderClock } from "@/lib/history/recording/recorder-lease";
import { SERVED, toSpreadHour } from "@/lib/history/spreads/spread-rollup";
import { writeSpreadHours } from "@/lib/history/spreads/spread-rows";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { tickHourStore } from "@/lib/history/ticks/tick-history";
import { getSourceMode } from "@/lib/market/bar";
import { getBuiltInDigits } from "@/lib/market/catalog";
import { getBarEnd, getBarStart, type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly StoredTimeframe[];

interface Options {
  readonly symbol: string;
  /** Spreads are stored from here on: older ones would be removed at once. UTC milliseconds. */
  readonly spreadsFromMs: number;
  /** What writes the hours, for their proofs. */
  readonly cause: Cause;
}

/**
 * Replaces the ticks, bars and spreads of hours of one symbol by composed ones, in the caller's transaction. Bars longer
 * than an hour are joined again.
 */
export async function writeHours(
  client: PoolClient,
  hours: readonly ComposedHour[],
  { symbol, spreadsFromMs, cause }: Options,
): Promise<void> {
  if (hours.length === 0) return;
  const starts = hours.map(({ columns }) => columns.hourMs);
  const withTicks = hours.map(({ columns }) => columns).filter(({ count }) => count > 0);
  const barsOnly = hours.filter(({ columns }) => columns.count === 0).map(({ columns }) => columns.hourMs / HOUR_MS);
  const before = await readTicks(
    client,
    symbol,
    starts.map((startMs) => startMs / HOUR_MS),
  );
  await tickHourStore.writeHour(client, withTicks);
  if (barsOnly.length > 0) {
    await query(client, "DELETE FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [symbol, barsOnly]);
    await query(
      client,
      "DELETE FROM spread_hour WHERE symbol = $1 AND source = $2 AND hour = ANY (SELECT to_timestamp(unnest($3::float8[])))",
      [symbol, SERVED, barsOnly.map((hour) => hour * 3_600)],
    );
  }
  const toWritten = ({ columns }: ComposedHour) => ({
    symbol,
    hourMs: columns.hourMs,
    ticks: columns.count === 0 ? null : toTicks(columns),
    before: before.get(columns.hourMs) ?? null,
  });
  await proveHours(client, hours.map(toWritten), cause);
  await writeSpreadHours(client, withTicks.filter(({ hourMs }) => hourMs >= spreadsFromMs).map(toSpreadHour));
  const lastMs = starts.reduce((a, b) => Math.max(a, b));
  const firstMs = starts.reduce((a, b) => Math.min(a, b));
  await openBlocks(client, [symbol], firstMs, lastMs + HOUR_MS);
  const spans = findSpans(starts);
  await keepLongBars(client, symbol, spans);
  await deleteHourBars(client, symbol, starts);
  const rows = hours.flatMap(({ bars }) => bars.map((bar) => ({ ...bar, symbol })));
  // Back-filling may have added the same bar meanwhile.
  await insertBars(client, rows, "replaceOrigin");
  await joinLongBars(client, symbol, starts);
  await restoreLongBars(client, symbol, spans);
  await writeSpans(client, symbol, new Map(hours.map((hour) => [hour.columns.hourMs / SECOND_MS, listPieces(hour)])));
  const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, firstMs) }));
  await forgetBars(client, [symbol], changes);
}

/** What an hour has that was imported, and what was not: the whole hour if all of it is of one kind, else its shortest bars. */
function listPieces({ columns, bars }: ComposedHour): Piece[] {
  const getMode = ({ origin }: OriginBar) => (origin === null ? null : getSourceMode(origin));
  const toPiece = (fromMs: number, lengthMs: number, mode: Piece["mode"]) => {
    return { since: fromMs / SECOND_MS, until: (fromMs + lengthMs) / SECOND_MS, mode };
  };
  const [first, ...others] = bars;
  if (first === undefined) return [];
  if (others.every((bar) => getMode(bar) === getMode(first))) return [toPiece(columns.hourMs, HOUR_MS, getMode(first))];
  const pieces: Piece[] = [];
  for (const bar of bars) {
    const piece = toPiece(bar.timeMs, TIMEFRAME_MINUTES[bar.timeframe] * MINUTE_MS, getMode(bar));
    // A longer bar with shorter ones in it is joined of them.
    if (pieces.every(({ since, until }) => until <= piece.since || since >= piece.until)) pieces.push(piece);
  }
  return pieces.sort((a, b) => a.since - b.since);
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

/** The time of a bar that is longer than an hour, in Unix seconds; its length is in minutes. */
interface BarSpan {
  readonly length: number;
  readonly start: number;
  readonly end: number;
}

/** Every longer bar that contains one of the hours. */
function findSpans(starts: readonly number[]): BarSpan[] {
  return BEYOND_AN_HOUR.flatMap((timeframe) =>
    [...new Set(starts.map((startMs) => getBarStart(timeframe, startMs)))].map((startMs) => ({
      length: TIMEFRAME_MINUTES[timeframe],
      start: startMs / 1000,
      end: getBarEnd(timeframe, startMs) / 1000,
    })),
  );
}

const KEPT_COLUMNS = "symbol, timeframe, time, open, high, low, close, volume, digits, wide";

/** Keeps longer bars that cannot be joined again, as there are no H1 bars of theirs: back-filling has stored them so. */
async function keepLongBars(client: PoolClient, symbol: string, spans: readonly BarSpan[]): Promise<void> {
  await query(
    client,
    `INSERT INTO replaced_bar (${KEPT_COLUMNS})
     SELECT ${KEPT_COLUMNS} FROM bar JOIN unnest($2::int2[], $3::int4[], $4::int4[]) AS span (length, start, finish)
              ON timeframe = length AND time = start
      WHERE symbol = $1 AND origin IS NULL
        AND NOT EXISTS (SELECT FROM bar AS hour WHERE hour.symbol = $1 AND hour.timeframe = 60
                           AND hour.time >= start AND hour.time < finish)
     ON CONFLICT DO NOTHING`,
    [symbol, spans.map(({ length }) => length), spans.map(({ start }) => start), spans.map(({ end }) => end)],
  );
}

/** Brings such bars back where no hour of theirs is left. */
async function restoreLongBars(client: PoolClient, symbol: string, spans: readonly BarSpan[]): Promise<void> {
  await query(
    client,
    `WITH restored AS (
       DELETE FROM replaced_bar USING unnest($2::int2[], $3::int4[]) AS span (length, start)
        WHERE symbol = $1 AND timeframe = length AND time = start
          AND NOT EXISTS (SELECT FROM bar WHERE bar.symbol = $1 AND bar.timeframe = length AND bar.time = start)
       RETURNING ${KEPT_COLUMNS})
     INSERT INTO bar (${KEPT_COLUMNS}) SELECT ${KEPT_COLUMNS} FROM restored`,
    [symbol, spans.map(({ length }) => length), spans.map(({ start }) => start)],
  );
}

/** Joins every longer bar that contains one of the hours from its H1 bars; one without H1 bars is removed. */
export async function joinLongBars(client: PoolClient, symbol: string, starts: readonly number[]): Promise<void> {
  const spans = findSpans(starts);
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
     ${ON_CONFLICT.replaceOrigin}`,
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
  /** What the batch comes from. */
  readonly cause: Cause;
  /** The import that the batch belongs to, so that it can be undone; null for none. */
  readonly run?: RunClaim | null;
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
 * meanwhile. Throws RunStopped, and stores nothing, once the import was stopped or another process works on it.
 */
export function storeBatch(pool: Pool, batch: Batch, options: StoreOptions): Promise<StoredBatch> {
  return inTransaction(pool, async (client) => {
    await lockClosedHours(client);
    if (options.run != null) await requireClaim(client, options.run, "importing");
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
  // Another import may be writing many hours.
  const statement = { text: "SELECT FROM history_revision FOR UPDATE", query_timeout: HOUR_WORK_TIMEOUT_MS };
  await client.query(statement);
}

/** Tells servers that hours were imported. */
export async function raiseImports(client: PoolClient): Promise<void> {
  await client.query("UPDATE history_revision SET imports = imports + 1");
}

async function addParts(
  client: PoolClient,
  { symbol, parts }: Batch,
  { run = null, cause, priority, spreadsFromMs }: StoreOptions,
): Promise<number> {
  const hours = [...parts.keys()];
  const stored = await readParts(client, symbol, hours);
  const closed = await readClosed(client, hours);
  const earlier = await readRecorded(
    client,
    symbol,
    hours.filter((hour) => !stored.has(hour)),
  );
  const written: (PackedPart & { readonly hour: number })[] = [];
  const changes: PartChange[] = [];
  const composed = [];
  let added = 0;
  for (const [hour, part] of parts) {
    const place = { symbol, hourMs: hour * HOUR_MS };
    const origin = closed.has(hour) ? RECORDED : FILLED;
    const packed =
      stored.get(hour) ?? (earlier.get(hour) ?? []).map((each) => packPart({ ...each, source: origin }, place));
    const isOwn = ({ source, timeframe }: PackedPart) => source === part.source && timeframe === part.timeframe;
    const own = packed.find(isOwn);
    const [before] = own === undefined ? [] : unpackParts([own], place);
    const merged = before === undefined ? part : mergeParts(before, part);
    const block = packPart(merged, place);
    if (own?.block.equals(block.block) === true) continue;
    added += countRows(merged) - (before === undefined ? 0 : countRows(before));
    written.push({ ...block, hour });
    changes.push({ hour, timeframe: part.timeframe, source: part.source, before: own?.block ?? null });
    if (!stored.has(hour)) for (const each of packed) written.push({ ...each, hour });
    const others = unpackParts(
      packed.filter((each) => !isOwn(each)),
      place,
    );
    composed.push(composeHour([...others, merged], { ...place, priority }));
  }
  await writeParts(client, symbol, written);
  if (run !== null) await noteChanges(client, run.id, symbol, changes);
  await writeHours(client, composed, { symbol, spreadsFromMs, cause });
  if (composed.length > 0) await raiseImports(client);
  return added;
}

/**
 * Makes hours of the parts that are left of them, in the caller's transaction. Those without an imported part are again
 * what was recorded or back-filled.
 */
export async function composeAgain(
  client: PoolClient,
  hours: readonly number[],
  { symbol, priority, spreadsFromMs, cause }: Options & Pick<StoreOptions, "priority">,
): Promise<void> {
  const left = await readParts(client, symbol, hours);
  const composed = hours.map((hour) => {
    const place = { symbol, hourMs: hour * HOUR_MS };
    return composeHour(unpackParts(left.get(hour) ?? [], place), { ...place, priority });
  });
  await writeHours(client, composed, { symbol, spreadsFromMs, cause });
  const isOwn = ({ source }: PackedPart) => source === RECORDED || source === FILLED;
  await query(client, "DELETE FROM import_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [
    symbol,
    hours.filter((hour) => left.get(hour)?.every(isOwn)),
  ]);
  await raiseImports(client);
}
