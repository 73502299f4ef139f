import type { Pool, PoolClient } from "pg";
import { toMinuteBars } from "@/lib/history/bars/bar-rows";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type HourStore, inTransaction } from "@/lib/history/hour-store";
import { type HourPart, packPart, RECORDED, TICKS } from "@/lib/history/import/hour-parts";
import {
  composeHour,
  query,
  readParts,
  toRecordedTicks,
  unpackParts,
  writeParts,
} from "@/lib/history/import/import-rows";
import { composeAgain, lockClosedHours, raiseImports, writeHours } from "@/lib/history/import/write-hours";
import { excludeHours } from "@/lib/history/imported-spans";
import { toTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Joins a closed hour with what was imported of it before, as a replay of the past may record an hour that is imported
 * already. It must be the last store of an hour. `priority` has the names of sources, most trusted first.
 */
export function createImportedHourStore(priority: readonly string[]): HourStore {
  return { writeHour: (client, columns) => writeHour(client, columns, priority) };
}

async function writeHour(client: PoolClient, columns: readonly HourColumns[], priority: readonly string[]) {
  const hour = (columns[0]?.hourMs ?? 0) / HOUR_MS;
  const symbols = columns.map(({ symbol }) => symbol);
  const rows = await query<{ symbol: string; is_joined: boolean }>(
    client,
    `SELECT symbol, bool_or(is_joined) AS is_joined
       FROM (
              SELECT symbol, TRUE AS is_joined FROM import_hour WHERE hour = $1
              UNION ALL
              SELECT symbol, FALSE FROM imported_span WHERE since < ($1 + 1) * 3600 AND until > $1 * 3600
            ) AS imported
      WHERE symbol = ANY ($2)
      GROUP BY symbol`,
    [hour, symbols],
  );
  const joined = new Set(rows.filter((row) => row.is_joined).map(({ symbol }) => symbol));
  for (const each of columns) if (joined.has(each.symbol)) await joinImported(client, each, priority);
  for (const { symbol, is_joined } of rows) if (!is_joined) await excludeHours(client, symbol, [hour * 3_600]);
  if (rows.length > 0) await raiseImports(client);
}

async function joinImported(client: PoolClient, columns: HourColumns, priority: readonly string[]): Promise<void> {
  const { symbol, hourMs } = columns;
  const hour = hourMs / HOUR_MS;
  const stored = (await readParts(client, symbol, [hour])).get(hour) ?? [];
  const recorded: HourPart[] = [
    { source: RECORDED, timeframe: TICKS, ticks: toRecordedTicks(toTicks(columns)) },
    { source: RECORDED, timeframe: 1, bars: toMinuteBars(columns) },
  ];
  await writeParts(
    client,
    symbol,
    recorded.map((part) => ({ ...packPart(part, columns), hour })),
  );
  const others = unpackParts(
    stored.filter(({ source }) => source !== RECORDED),
    columns,
  );
  const composed = composeHour([...recorded, ...others], { symbol, hourMs, priority });
  await writeHours(client, [composed], { symbol, spreadsFromMs: 0, cause: { kind: "joined" } });
}

const HOURS_PER_TRANSACTION = 48;

interface RemoveOptions {
  readonly symbol: string;
  readonly source: string;
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
}

/** The symbols that a source was imported for. */
export async function listImportedSymbols(pool: Pool, source: string): Promise<string[]> {
  const { rows } = await pool.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM import_file WHERE source = $1 ORDER BY symbol",
    [source],
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Removes what was imported of one symbol from one source, and returns the number of hours. Hours are made of their other
 * parts again. An interrupted removal is continued by the next one. No import can bring the removed rows back.
 */
export async function removeImports(pool: Pool, { symbol, source, priority, spreadsFromMs }: RemoveOptions) {
  let removed = 0;
  for (;;) {
    const count = await inTransaction(pool, async (client) => {
      await lockClosedHours(client);
      const rows = await query<{ hour: number }>(
        client,
        "SELECT DISTINCT hour FROM import_hour WHERE symbol = $1 AND source = $2 ORDER BY hour LIMIT $3",
        [symbol, source, HOURS_PER_TRANSACTION],
      );
      if (rows.length === 0) {
        await query(client, "DELETE FROM import_file WHERE symbol = $1 AND source = $2", [symbol, source]);
        await query(client, "DELETE FROM import_undo WHERE symbol = $1 AND source = $2", [symbol, source]);
        return 0;
      }
      const hours = rows.map(({ hour }) => hour);
      await query(client, "DELETE FROM import_hour WHERE symbol = $1 AND source = $2 AND hour = ANY ($3::int4[])", [
        symbol,
        source,
        hours,
      ]);
      await composeAgain(client, hours, { symbol, priority, spreadsFromMs, cause: { kind: "removed", source } });
      return hours.length;
    });
    if (count === 0) return removed;
    removed += count;
  }
}
