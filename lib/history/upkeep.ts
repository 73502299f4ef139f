import type { Pool } from "pg";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import { startBackfill } from "@/lib/history/backfill/backfill";
import type { BackfillProgress } from "@/lib/history/backfill/messages";
import { listUnfilled } from "@/lib/history/backfill/past-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { followImports } from "@/lib/history/import/follow-imports";
import type { Recording } from "@/lib/history/recording/recording";
import { type RetentionDays, startRetention } from "@/lib/history/retention";
import type { Instrument } from "@/lib/market/instrument";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

/** The upkeep of the stored history: the past is filled, imported hours are read, expired rows are removed. */
export interface Upkeep {
  /** The progress of back-filling. */
  progress(): BackfillProgress;
  stop(): Promise<void>;
}

interface Options {
  readonly pool: Pool;
  readonly recording: Recording;
  readonly keeper: HistoryKeeper;
  /** The feed that has a history; null if there is none. */
  readonly past: PastFeed | null;
  readonly instruments: readonly Instrument[];
  readonly keepDays: RetentionDays;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** Runs while this server records: a standby leaves the upkeep to the recorder. */
export async function startUpkeep({
  recording,
  past,
  instruments,
  keepDays,
  pool,
  ...common
}: Options): Promise<Upkeep> {
  const total = past?.symbols.length ?? 0;
  let readProgress = (): BackfillProgress => ({ phase: past === null ? "off" : "done", done: total, total });
  const upkeep = await recording.whileRecording.run(async () => {
    const append: Recording["append"] = (rows) => recording.append(rows);
    const unfilled = past === null ? [] : await listUnfilled(pool, past.symbols, common.marketNow());
    const filling =
      past === null || unfilled.length === 0
        ? null
        : startBackfill({ ...common, append, past: { ...past, symbols: unfilled } });
    if (filling !== null) readProgress = () => filling.progress();
    const isFilling = () => filling?.progress().phase === "filling";
    const retention = startRetention({ ...common, pool, instruments, keepDays, isFilling });
    const imports = followImports({ ...common, pool });
    return {
      async stop() {
        retention.stop();
        imports.stop();
        await filling?.stop();
      },
    };
  });
  return {
    progress: () => readProgress(),
    stop: async () => upkeep.stop(),
  };
}
