import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Pool } from "pg";
import { fillOpenHour } from "@/lib/history/backfill/fill-open-hour";
import type { BackfillMessage, BackfillProgress, BackfillTask } from "@/lib/history/backfill/messages";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { type HourColumns } from "@/lib/history/hour-columns";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { HOUR_MS } from "@/lib/time/units";

/** The past being filled from a feed that can tell it, in the background. */
export interface Backfill {
  progress(): BackfillProgress;
  stop(): Promise<void>;
}

interface Options {
  readonly pool: Pool;
  readonly keeper: HistoryKeeper;
  /** Names of the feed's sources, most trusted first. */
  readonly sources: readonly string[];
  readonly symbols: number;
  readonly marketNow: Clock;
  readonly log: Logger;
}

/** Readers look again this often while there is more to see from time to time. */
const REPORT_MS = 5_000;

/** Begins at once. Whoever calls must have begun to record. */
export function startBackfill({ pool, keeper, sources, symbols, marketNow, log }: Options): Backfill {
  const startedAtMs = marketNow();
  const begunAtMs = performance.now();
  const task: BackfillTask = { startedAtMs, endMs: Math.floor(startedAtMs / HOUR_MS) * HOUR_MS, sources };
  let progress: BackfillProgress = { phase: "filling", done: 0, total: symbols };
  let filled = 0;
  let reported = 0;
  let openHour = Promise.resolve();

  function hear(message: BackfillMessage): void {
    if (message.type === "open hour") queueOpenHour(message.columns);
    else {
      progress = { ...progress, done: progress.done + 1 };
      if (message.isNew) filled++;
    }
  }

  function queueOpenHour(columns: HourColumns): void {
    openHour = openHour
      .then(() => fillOpenHour({ pool, keeper, marketNow, startedAtMs }, columns))
      .catch((error: unknown) => log.warn({ err: error, symbol: columns.symbol }, "an open hour was not filled"));
  }

  function report(): void {
    if (filled === reported) return;
    reported = filled;
    const { done, total } = progress;
    log.info({ percent: Math.floor((100 * done) / total), symbols: done, of: total }, "filling the past");
    keeper.onRewritten();
  }

  function finish(phase: "done" | "failed", error?: unknown): void {
    if (progress.phase !== "filling") return;
    clearInterval(reporting);
    progress = { ...progress, phase };
    const seconds = Math.round((performance.now() - begunAtMs) / 1000);
    if (phase === "failed") log.error({ err: error }, "the past could not be filled; the next start goes on with it");
    else if (filled > 0) log.info({ symbols: filled, seconds }, "the past is filled");
    if (filled > reported) keeper.onRewritten();
  }

  const thread = startThread(task);
  const reporting = setInterval(report, REPORT_MS).unref();
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  thread.on("message", hear);
  thread.once("error", (error) => finish("failed", error));
  thread.once("exit", (code) =>
    finish(code === 0 ? "done" : "failed", new Error(`the thread ended with code ${code}`)),
  );
  thread.unref();

  return {
    progress: () => progress,
    async stop() {
      clearInterval(reporting);
      if (progress.phase === "filling") progress = { ...progress, phase: "stopped" };
      void thread.terminate();
      await ended;
      await openHour;
    },
  };
}

/** Built code runs a built thread; anything else runs the source. */
function startThread(workerData: BackfillTask): Worker {
  const isBuilt = process.env.NODE_ENV === "production";
  const path = isBuilt ? "dist/backfill-thread.mjs" : "lib/history/backfill/backfill-thread.ts";
  const execArgv = isBuilt ? [] : ["--import", "tsx"];
  return new Worker(/* turbopackIgnore: true */ join(process.cwd(), path), { workerData, execArgv });
}
