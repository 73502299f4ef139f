import type { PoolClient } from "pg";
import { toMinuteBars } from "@/lib/history/bars/point-bar";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { HourStore } from "@/lib/history/hour-store";
import { composeHour, toRecordedTicks } from "@/lib/history/import/compose-hour";
import { type HourPart, packPart, RECORDED, TICKS } from "@/lib/history/import/hour-parts";
import { query, readParts, unpackParts, writeParts } from "@/lib/history/import/import-rows";
import { raiseImports } from "@/lib/history/import/store-batch";
import { writeHours } from "@/lib/history/import/write-hours";
import { excludeHours } from "@/lib/history/imported/span-rows";
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
    recorded.map((part) => ({ ...packPart(part, hourMs), hour })),
  );
  const others = unpackParts(
    stored.filter(({ source }) => source !== RECORDED),
    hour,
  );
  const composed = composeHour([...recorded, ...others], { instrument: columns, hourMs, priority });
  await writeHours(client, [composed], { symbol, spreadsFromMs: 0 });
}
