import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { HourStore } from "@/lib/history/hour-store";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/** Hours encoded before the event loop continues: about two milliseconds' work. */
const HOURS_PER_TURN = 16;

const WRITE = `
  INSERT INTO tick_hour (symbol, hour, ticks, block)
  SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[])
  ON CONFLICT (symbol, hour) DO UPDATE SET ticks = excluded.ticks, block = excluded.block
  WHERE tick_hour.block <> excluded.block`;

/** Stores the ticks of closed hours, one row per hour and symbol. */
export const tickHourStore: HourStore = {
  async writeHour(client, columns) {
    const filled = columns.filter(({ count }) => count > 0);
    const blocks: Buffer[] = [];
    for (const hour of filled) {
      if (blocks.length % HOURS_PER_TURN === HOURS_PER_TURN - 1) await nextTurn();
      blocks.push(encodeHour(toTicks(hour)));
    }
    if (blocks.length === 0) return;
    await client.query(WRITE, [
      filled.map(({ symbol }) => symbol),
      filled.map(({ hourMs }) => hourMs / HOUR_MS),
      filled.map(({ count }) => count),
      blocks,
    ]);
  },
};

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
