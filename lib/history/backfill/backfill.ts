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

/** The past is being filled in the background, from a feed that has a history. */
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

/** How often caches are invalidated while symbols are being filled. */
const REPORT_MS = 5_000;

/** Starts immediately. Recording must have begun before. */
export function startBackfill({ pool, keeper, sources, symbols, marketNow, log }: Options): Backfill {
  const startedAtMs = marketNow();
  const timerStartMs = performance.now();
  const task: BackfillTask = { startedAtMs, endMs: Math.floor(startedAtMs / HOUR_MS) * HOUR_MS, sources };
  let progress: BackfillProgress = { phase: "filling", done: 0, total: symbols };
  let filled = 0;
  let reported = 0;
  let openHour = Promise.resolve();

  function onMessage(message: BackfillMessage): void {
    if (message.type === "open hour") queueOpenHour(message.columns);
    else {
      progress = { ...progress, done: progress.done + 1 };
      if (message.isNew) filled++;
    }
  }

  function queueOpenHour(columns: HourColumns): void {
    openHour = openHour
      .then(() => fillOpenHour({ pool, keeper, marketNow, startedAtMs }, columns))
      .catch((error: unknown) => log.warn({ err: error, symbol: columns.symbol }, "filling an open hour failed"));
  }

  function report(): void {
    if (filled === reported) return;
    reported = filled;
    const { done, total } = progress;
    log.info({ percent: Math.floor((100 * done) / total), symbols: done, of: total }, "backfill running");
    keeper.onRewritten();
  }

  function finish(phase: "done" | "failed", error?: unknown): void {
    if (progress.phase !== "filling") return;
    clearInterval(reporting);
    progress = { ...progress, phase };
    const seconds = Math.round((performance.now() - timerStartMs) / 1000);
    if (phase === "failed") log.error({ err: error }, "backfill failed; the next start continues it");
    else if (filled > 0) log.info({ symbols: filled, seconds }, "backfill finished");
    if (filled > reported) keeper.onRewritten();
  }

  const thread = startThread(task);
  const reporting = setInterval(report, REPORT_MS).unref();
  const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
  thread.on("message", onMessage);
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

/** Built code runs the built thread; otherwise the thread runs from its source. */
function startThread(workerData: BackfillTask): Worker {
  const isBuilt = process.env.NODE_ENV === "production";
  const path = isBuilt ? "dist/backfill-thread.mjs" : "lib/history/backfill/backfill-thread.ts";
  const execArgv = isBuilt ? [] : ["--import", "tsx"];
  return new Worker(/* turbopackIgnore: true */ join(process.cwd(), path), { workerData, execArgv });
}
