import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourStore } from "@/lib/history/history";
import { type HourColumns } from "@/lib/history/hour-columns";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { HOUR_MS } from "@/lib/time/units";

/** Hours packed before others get their turn: about two milliseconds' work. */
const PACKED_AT_ONCE = 16;

const WRITE = `
  insert into tick_hour (symbol, hour, ticks, block)
  select * from unnest($1::text[], $2::int[], $3::int[], $4::bytea[])
  on conflict (symbol, hour) do update set ticks = excluded.ticks, block = excluded.block
  where tick_hour.block <> excluded.block`;

/** The ticks of closed hours, a row an hour and symbol. */
export const tickHourStore: HourStore = {
  async writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void> {
    const filled = columns.filter(({ count }) => count > 0);
    const blocks: Buffer[] = [];
    for (const hour of filled) {
      if (blocks.length % PACKED_AT_ONCE === PACKED_AT_ONCE - 1) await nextTurn();
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

/** The ticks of one closed hour; null where none were recorded. Throws where the database cannot be reached. */
export async function readHour(pool: Pool, symbol: string, hourMs: number): Promise<HourTicks | null> {
  const { rows } = await pool.query<{ block: Buffer }>("select block from tick_hour where symbol = $1 and hour = $2", [
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
