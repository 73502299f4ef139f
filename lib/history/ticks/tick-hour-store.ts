import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { HourStore } from "@/lib/history/hour-store";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/** Hours encoded before the event loop continues: about two milliseconds' work. */
const HOURS_PER_TURN = 16;

/** Stores the ticks of closed hours, one row per hour and symbol. */
export const tickHourStore: HourStore = {
  writeHour: (client, columns) =>
    insertHours(
      client,
      columns,
      "(symbol, hour) DO UPDATE SET ticks = excluded.ticks, block = excluded.block WHERE tick_hour.block <> excluded.block",
    ),
};

/** Adds the hours that are not stored yet. A stored hour stays as it is. */
export function addMissingHours(client: PoolClient, columns: readonly HourColumns[]): Promise<void> {
  return insertHours(client, columns, "DO NOTHING");
}

async function insertHours(client: PoolClient, columns: readonly HourColumns[], onConflict: string): Promise<void> {
  const filled = columns.filter(({ count }) => count > 0);
  const blocks: Buffer[] = [];
  for (const hour of filled) {
    if (blocks.length % HOURS_PER_TURN === HOURS_PER_TURN - 1) await nextTurn();
    blocks.push(encodeHour(toTicks(hour)));
  }
  if (blocks.length === 0) return;
  const text = `INSERT INTO tick_hour (symbol, hour, ticks, block)
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[]) ON CONFLICT ${onConflict}`;
  await client.query(text, [
    filled.map(({ symbol }) => symbol),
    filled.map(({ hourMs }) => hourMs / HOUR_MS),
    filled.map(({ count }) => count),
    blocks,
  ]);
}

/** The ticks of one closed hour; null if none were recorded. Throws when the database cannot be reached. */
export async function readHour(pool: Pool, symbol: string, hourMs: number): Promise<HourTicks | null> {
  const { rows } = await pool.query<{ block: Buffer }>("SELECT block FROM tick_hour WHERE symbol = $1 AND hour = $2", [
    symbol,
    hourMs / HOUR_MS,
  ]);
  const block = rows[0]?.block;
  if (block === undefined) return null;
  try {
    return decodeHour(block);
  } catch (error) {
    throw new Error(`The ticks of ${symbol} from ${new Date(hourMs).toISOString()} cannot be read`, { cause: error });
  }
}
