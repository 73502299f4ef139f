import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Pool } from "pg";
import { fillOpenHour } from "@/lib/history/backfill/fill-open-hour";
import type { BackfillMessage, BackfillProgress, BackfillTask } from "@/lib/history/backfill/messages";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { HourColumns } from "@/lib/history/hour-columns";
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
export function startBackfill(options: Options): Backfill {
  return new BackfillRun(options);
}

class BackfillRun implements Backfill {
  readonly #options: Options;
  readonly #startedAtMs: number;
  readonly #timerStartMs = performance.now();
  readonly #thread: Worker;
  readonly #ended: Promise<void>;
  readonly #reporting: NodeJS.Timeout;
  #progress: BackfillProgress;
  /** Symbols that had no past before. */
  #filled = 0;
  #reported = 0;
  #openHours: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    const { marketNow, sources, symbols } = options;
    const startedAtMs = marketNow();
    this.#options = options;
    this.#startedAtMs = startedAtMs;
    this.#progress = { phase: "filling", done: 0, total: symbols };
    const thread = startThread({ startedAtMs, endMs: Math.floor(startedAtMs / HOUR_MS) * HOUR_MS, sources });
    this.#thread = thread;
    this.#reporting = setInterval(() => this.#report(), REPORT_MS).unref();
    this.#ended = new Promise((resolve) => thread.once("exit", () => resolve()));
    thread.on("message", (message: BackfillMessage) => this.#onMessage(message));
    thread.once("error", (error) => this.#finish("failed", error));
    thread.once("exit", (code) =>
      this.#finish(code === 0 ? "done" : "failed", new Error(`the thread ended with code ${code}`)),
    );
    thread.unref();
  }

  progress(): BackfillProgress {
    return this.#progress;
  }

  async stop(): Promise<void> {
    clearInterval(this.#reporting);
    if (this.#progress.phase === "filling") this.#progress = { ...this.#progress, phase: "stopped" };
    void this.#thread.terminate();
    await this.#ended;
    await this.#openHours;
  }

  #onMessage(message: BackfillMessage): void {
    if (message.type === "open hour") this.#queueOpenHour(message.columns);
    else {
      this.#progress = { ...this.#progress, done: this.#progress.done + 1 };
      if (message.isNew) this.#filled++;
    }
  }

  #queueOpenHour(columns: HourColumns): void {
    const { pool, keeper, marketNow, log } = this.#options;
    const startedAtMs = this.#startedAtMs;
    this.#openHours = this.#openHours
      .then(() => fillOpenHour({ pool, keeper, marketNow, startedAtMs }, columns))
      .catch((error: unknown) => log.warn({ err: error, symbol: columns.symbol }, "filling an open hour failed"));
  }

  #report(): void {
    if (this.#filled === this.#reported) return;
    this.#reported = this.#filled;
    const { done, total } = this.#progress;
    const percent = Math.floor((100 * done) / total);
    this.#options.log.info({ percent, symbols: done, of: total }, "backfill running");
    this.#options.keeper.onRewritten();
  }

  #finish(phase: "done" | "failed", error?: unknown): void {
    if (this.#progress.phase !== "filling") return;
    clearInterval(this.#reporting);
    this.#progress = { ...this.#progress, phase };
    const { log, keeper } = this.#options;
    const seconds = Math.round((performance.now() - this.#timerStartMs) / 1000);
    if (phase === "failed") log.error({ err: error }, "backfill failed; the next start continues it");
    else if (this.#filled > 0) log.info({ symbols: this.#filled, seconds }, "backfill finished");
    if (this.#filled > this.#reported) keeper.onRewritten();
  }
}

/** Built code runs the built thread; otherwise the thread runs from its source. */
function startThread(workerData: BackfillTask): Worker {
  const isBuilt = process.env.NODE_ENV === "production";
  const path = isBuilt ? "dist/backfill-thread.mjs" : "lib/history/backfill/backfill-thread.ts";
  const execArgv = isBuilt ? [] : ["--import", "tsx"];
  return new Worker(/* turbopackIgnore: true */ join(process.cwd(), path), { workerData, execArgv });
}
