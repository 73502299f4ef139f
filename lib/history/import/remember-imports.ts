import type { Pool } from "pg";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import { readOpen } from "@/lib/history/import/import-rows";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** What indicators remember is computed again from the first imported bar on. `untilMs` is that of the import. */
export async function rememberImports(
  pool: Pool,
  instruments: readonly Pick<Instrument, "symbol" | "digits">[],
  untilMs: number,
): Promise<void> {
  const client = await pool.connect();
  const open = await readOpen(client).finally(() => client.release());
  const endMs = Math.min(untilMs, ...Array.from(open, (hour) => hour * HOUR_MS));
  await rememberBars(pool, instruments, new Map(TIMEFRAMES.map((each) => [each, getBarStart(each, endMs)])));
}
