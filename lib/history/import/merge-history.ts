import type { Pool, PoolClient } from "pg";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { openBlocks } from "@/lib/history/bars/bar-packs";
import { inTransaction } from "@/lib/history/hour-store";
import { type HourPart, isTickPart, MERGED } from "@/lib/history/import/hour-parts";
import { readRecorded } from "@/lib/history/import/import-rows";
import { joinLongBars, lockClosedHours, raiseImports, storeBatch } from "@/lib/history/import/write-hours";
import { cutPieces, readSymbolSpans, writeSpans } from "@/lib/history/imported-spans";
import { proveHours, readTicks } from "@/lib/history/proof/hour-proofs";
import { markSource } from "@/lib/market/bar";
import { getBarStart, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * Moves the history of instruments that were merged into others. Hours in which the other one has nothing are renamed. Where
 * both have prices, those of the merged one are imported, and the other's own come first.
 */

/** Hours in one transaction. */
const HOURS_AT_ONCE = 50;
/** What is left of a symbol once its hours are moved. */
const TABLES = [
  "spread_hour",
  "import_hour",
  "imported_span",
  "bar_memory",
  "replaced_bar",
  "history_origin",
  "price_digits",
  "backfill",
];

/** The symbols that were merged, each with the one that has their history at last. */
async function readMerged(pool: Pool): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ symbol: string; into: string }>(
    "SELECT symbol, merged_into AS into FROM instrument WHERE merged_into IS NOT NULL",
  );
  const into = new Map(rows.map((row) => [row.symbol, row.into]));
  const findEnd = (symbol: string): string => {
    const seen = new Set<string>();
    let end = symbol;
    for (let next = into.get(end); next !== undefined && !seen.has(next); next = into.get(end)) seen.add((end = next));
    return end;
  };
  return new Map([...into.keys()].map((symbol) => [symbol, findEnd(symbol)]));
}

/** The source under which the history of a merged symbol is imported: names of sources have no capitals and no dots. */
function nameSource(symbol: string): string {
  return `${MERGED}${symbol.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
}

/**
 * Moves what is stored of merged symbols, and returns the number of hours. Hours that are still open are left to a later
 * call.
 *
 * @param spreadsFromMs spreads are stored from here on, UTC milliseconds
 */
export async function moveMerged(pool: Pool, options: { readonly spreadsFromMs: number }): Promise<number> {
  let moved = 0;
  for (const [symbol, into] of await readMerged(pool)) {
    for (;;) {
      const hours = (await moveHours(pool, symbol, into, options)) + (await moveTapes(pool, symbol, into));
      if (hours === 0) break;
      moved += hours;
    }
  }
  return moved;
}

/** Moves some hours, and returns their number; 0 if none is left that can be moved. */
async function moveHours(pool: Pool, symbol: string, into: string, { spreadsFromMs }: { spreadsFromMs: number }) {
  // Nothing is left of a symbol that was moved, and no lock is taken for it.
  if ((await listOldest(pool, symbol)).length === 0) return 0;
  const renamed = await inTransaction(pool, (client) => renameHours(client, symbol, into));
  if (renamed > 0) return renamed;
  const read = await inTransaction(pool, (client) => readParts(client, symbol));
  if (read.hours.length === 0) return 0;
  let isMoved = true;
  await storeBatch(
    pool,
    { symbol: into, parts: read.parts },
    {
      cause: { kind: "merged", symbol },
      priority: [],
      spreadsFromMs,
      async alongside(client, { open }) {
        isMoved = open === 0;
        if (isMoved) await deleteHours(client, { symbol, into, hours: read.hours });
      },
    },
  );
  return isMoved ? read.hours.length : 0;
}

/** Gives the oldest hours in which the other instrument has nothing its symbol. */
async function renameHours(client: PoolClient, symbol: string, into: string): Promise<number> {
  await lockClosedHours(client);
  const oldest = await listOldest(client, symbol);
  const hours = await listFree(client, oldest, into);
  if (hours.length === 0) return 0;
  const [first, last] = [Math.min(...hours), Math.max(...hours)];
  await openBlocks(client, [symbol], first * HOUR_MS, (last + 1) * HOUR_MS);
  await client.query("UPDATE tick_hour SET symbol = $2 WHERE symbol = $1 AND hour = ANY ($3::int4[])", [
    symbol,
    into,
    hours,
  ]);
  await client.query(
    "UPDATE bar SET symbol = $2 WHERE symbol = $1 AND timeframe <= 60 AND time / 3600 = ANY ($3::int4[])",
    [symbol, into, hours],
  );
  await client.query("UPDATE import_hour SET symbol = $2 WHERE symbol = $1 AND hour = ANY ($3::int4[])", [
    symbol,
    into,
    hours,
  ]);
  await client.query(
    `UPDATE spread_hour AS own SET symbol = $2
      WHERE symbol = $1 AND hour = ANY (SELECT to_timestamp(unnest($3::float8[])))
        AND NOT EXISTS (SELECT FROM spread_hour AS other
                         WHERE other.symbol = $2 AND other.source = own.source AND other.hour = own.hour)`,
    [symbol, into, hours.map((hour) => hour * 3_600)],
  );
  const starts = hours.map((hour) => hour * HOUR_MS);
  await joinLongBars(client, into, starts);
  const pieces = await readPieces(client, symbol, hours);
  await writeSpans(client, into, new Map(Array.from(pieces, ([hour, found]) => [hour * 3_600, found])));
  const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, first * HOUR_MS) }));
  await forgetBars(client, [into], changes);
  await raiseImports(client);
  const moved = await readTicks(client, into, hours);
  const written = Array.from(moved, ([hourMs, ticks]) => ({ symbol: into, hourMs, ticks, before: null }));
  await proveHours(client, written, { kind: "merged", symbol });
  await deleteHours(client, { symbol, into, hours });
  return hours.length;
}

/** Makes the oldest tapes parts of those of the other instrument, into which the writer of ticks joins them. */
async function moveTapes(pool: Pool, symbol: string, into: string): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE tape_hour SET symbol = $2, part = nextval(pg_get_serial_sequence('tape_second', 'id'))
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM tape_hour WHERE symbol = $1 ORDER BY hour LIMIT ${HOURS_AT_ONCE}))`,
    [symbol, into],
  );
  return rowCount ?? 0;
}

/** The modes of hours of a merged symbol. Only sources and imports have added it, so that what is not imported is real. */
async function readPieces(client: PoolClient, symbol: string, hours: readonly number[]) {
  const spans = await readSymbolSpans(client, symbol);
  const read = (since: number) =>
    cutPieces(spans, { since, until: since + 3_600 }).map((piece) => ({ ...piece, mode: piece.mode ?? "live" }));
  return new Map(hours.map((hour) => [hour, read(hour * 3_600)]));
}

async function listOldest(client: Pool | PoolClient, symbol: string): Promise<number[]> {
  const { rows } = await client.query<{ hour: number }>(
    `SELECT hour FROM (
       (SELECT hour FROM tick_hour WHERE symbol = $1 ORDER BY hour LIMIT $2)
       UNION
       (SELECT DISTINCT time / 3600 AS hour FROM bar WHERE symbol = $1 AND timeframe = 60 ORDER BY hour LIMIT $2)
     ) AS stored ORDER BY hour LIMIT $2`,
    [symbol, HOURS_AT_ONCE],
  );
  return rows.map(({ hour }) => hour);
}

/** Lists the hours in which a symbol has nothing. */
async function listFree(client: PoolClient, hours: readonly number[], symbol: string): Promise<number[]> {
  const { rows } = await client.query<{ hour: number }>(
    `SELECT hour FROM unnest($1::int4[]) AS listed (hour)
      WHERE NOT EXISTS (SELECT FROM tick_hour WHERE symbol = $2 AND tick_hour.hour = listed.hour)
        AND NOT EXISTS (SELECT FROM import_hour WHERE symbol = $2 AND import_hour.hour = listed.hour)
        AND NOT EXISTS (SELECT FROM bar WHERE symbol = $2 AND timeframe = 60 AND time = listed.hour * 3600)`,
    [hours, symbol],
  );
  return rows.map(({ hour }) => hour);
}

/** The oldest hours that are left, and the finest prices of each. */
async function readParts(client: PoolClient, symbol: string) {
  const hours = await listOldest(client, symbol);
  const parts = new Map<number, HourPart>();
  const pieces = await readPieces(client, symbol, hours);
  for (const [hour, found] of await readRecorded(client, symbol, hours)) {
    const finest = found.find(isTickPart) ?? found.toSorted((a, b) => a.timeframe - b.timeframe)[0];
    const mode = pieces.get(hour)?.find((piece) => piece.mode !== "live")?.mode ?? "live";
    if (finest !== undefined) parts.set(hour, { ...finest, source: markSource(nameSource(symbol), mode) });
  }
  return { hours, parts };
}

interface Moved {
  readonly symbol: string;
  readonly into: string;
  readonly hours: readonly number[];
}

async function deleteHours(client: PoolClient, { symbol, into, hours }: Moved): Promise<void> {
  await client.query("DELETE FROM tick_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [symbol, hours]);
  const written = hours.map((hour) => ({ symbol, hourMs: hour * HOUR_MS, ticks: null, before: null }));
  await proveHours(client, written, { kind: "moved", symbol: into });
  // Blocks of these hours were made rows when they were read.
  await client.query("DELETE FROM bar WHERE symbol = $1 AND timeframe <= 60 AND time / 3600 = ANY ($2::int4[])", [
    symbol,
    hours,
  ]);
  const { rows } = await client.query<{ left: boolean }>(
    `SELECT EXISTS (SELECT FROM tick_hour WHERE symbol = $1)
         OR EXISTS (SELECT FROM bar WHERE symbol = $1 AND timeframe <= 60) AS left`,
    [symbol],
  );
  if (rows[0]?.left !== false) return;
  await client.query("DELETE FROM bar WHERE symbol = $1", [symbol]);
  for (const table of TABLES) await client.query(`DELETE FROM ${table} WHERE symbol = $1`, [symbol]);
}

interface MergingOptions {
  readonly pool: Pool;
  readonly spreadsFromMs: () => number;
  readonly log: Logger;
}

/** Moves the history of merged instruments now and then, while this server records. */
export function startMerging({ pool, spreadsFromMs, log }: MergingOptions): { stop(): void } {
  const work = async () => {
    const hours = await moveMerged(pool, { spreadsFromMs: spreadsFromMs() });
    if (hours > 0) log.info({ hours }, "hours of merged instruments moved");
  };
  const repetition = repeat(work, {
    pauseMs: MINUTE_MS / 4,
    onFailure: (error) => log.warn({ err: error }, "the history of merged instruments cannot be moved"),
    onRecovery: () => log.info("the history of merged instruments can be moved again"),
  });
  repetition.start();
  return repetition;
}
