import type { Pool } from "pg";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { readOpen } from "@/lib/history/import/import-rows";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface FollowOptions {
  readonly pool: Pool;
  readonly keeper: Pick<HistoryKeeper, "onRewritten">;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** How often caches are dropped while an import runs. */
const PAUSE_MS = 2 * SECOND_MS;

/** Drops what is in memory of the history whenever another process has imported hours. */
export function followImports({ pool, keeper, log, pauseMs = PAUSE_MS }: FollowOptions): { stop(): void } {
  let seen: number | null = null;
  const work = async () => {
    const { rows } = await pool.query<{ imports: number }>("SELECT imports FROM history_revision");
    const { imports = 0 } = rows[0] ?? {};
    // Until the first look nothing is known to be current.
    if (imports !== seen) keeper.onRewritten();
    seen = imports;
  };
  const repetition = repeat(work, {
    pauseMs,
    onFailure: (error) => log.warn({ err: error }, "following imports failed"),
    onRecovery: () => log.info("following imports resumed"),
  });
  repetition.start();
  return repetition;
}

/** What indicators remember is computed again from the first imported bar on. `untilMs` is that of the import. */
export async function rememberImports(
  pool: Pool,
  instruments: readonly Pick<Instrument, "symbol" | "tradingHours">[],
  untilMs: number,
): Promise<void> {
  const client = await pool.connect();
  const open = await readOpen(client).finally(() => client.release());
  const endMs = Math.min(untilMs, ...Array.from(open, (hour) => hour * HOUR_MS));
  await rememberBars(pool, instruments, new Map(TIMEFRAMES.map((each) => [each, getBarStart(each, endMs)])));
}
