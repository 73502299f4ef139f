import type { Pool } from "pg";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import { type Backfill, type BackfillProgress, startBackfill } from "@/lib/history/backfill/backfill";
import { listUnfilled } from "@/lib/history/backfill/fill-symbol";
import { SECONDS_BACK_MS } from "@/lib/history/backfill/zones";
import { startPacking } from "@/lib/history/bars/bar-packs";
import { readOutages } from "@/lib/history/gaps/gap-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { followImports } from "@/lib/history/import/follow-imports";
import { startMerging } from "@/lib/history/import/merge-history";
import { startProving } from "@/lib/history/proof/prove-stored";
import type { Recording } from "@/lib/history/recording/recording";
import { getRetentionStart, type RetentionDays, startRetention } from "@/lib/history/retention";
import type { Instrument } from "@/lib/market/instrument";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

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
  let backfill: Backfill | null = null;
  const upkeep = await recording.whileRecording.run(async (fence) => {
    const append: Recording["append"] = (...written) => recording.append(...written);
    const filling = await fillMissing(pool, past, { ...common, append });
    backfill = filling;
    const isFilling = () => filling?.progress().phase === "filling";
    const retention = startRetention({ ...common, pool, instruments, keepDays, isFilling });
    const packing = startPacking({ ...common, pool, instruments, isFilling });
    const spreadsFromMs = () => getRetentionStart(keepDays.spreads, common.marketNow());
    const merging = startMerging({ pool, log: common.log, spreadsFromMs });
    const imports = followImports({ ...common, pool });
    const proving = startProving({ pool, fence, log: common.log });
    return {
      async stop() {
        retention.stop();
        packing.stop();
        merging.stop();
        imports.stop();
        proving.stop();
        await filling?.stop();
      },
    };
  });
  return {
    progress: () => backfill?.progress() ?? { phase: "off", done: 0, total: 0 },
    stop: async () => upkeep.stop(),
  };
}

/** Starts to fill what is missing of the past; null if no feed has one. */
async function fillMissing(
  pool: Pool,
  past: PastFeed | null,
  options: Omit<Parameters<typeof startBackfill>[0], "past" | "outages">,
): Promise<Backfill | null> {
  if (past === null || past.symbols.length === 0) return null;
  const nowMs = options.marketNow();
  const symbols = await listUnfilled(pool, past.symbols, nowMs);
  const span = [nowMs - SECONDS_BACK_MS, nowMs].map((ms) => Math.floor(ms / SECOND_MS)) as [number, number];
  const outages = await readOutages(pool, ...span);
  if (symbols.length > 0) return startBackfill({ ...options, outages, past: { ...past, symbols } });
  const { length: total } = past.symbols;
  return { progress: () => ({ phase: "done", done: total, total }), stop: async () => {} };
}
