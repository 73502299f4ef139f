import type { Pool } from "pg";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { Logger } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly keeper: Pick<HistoryKeeper, "onRewritten">;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** How often caches are dropped while an import runs. */
const PAUSE_MS = 2 * SECOND_MS;

/** Drops what is in memory of the history whenever another process has imported hours. */
export function followImports({ pool, keeper, log, pauseMs = PAUSE_MS }: Options): { stop(): void } {
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
