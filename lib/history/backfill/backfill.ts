import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import { fillOpenHour, type OpenHour, type OpenHourOptions } from "@/lib/history/backfill/open-hour";
import type { Outage } from "@/lib/history/gaps/gap-rows";
import { isDatabaseUnavailable, isDiskFull } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";
import { HOUR_MS } from "@/lib/time/units";

/** The past is being filled in the background, from a feed that has a history. */
export interface Backfill {
  progress(): BackfillProgress;
  stop(): Promise<void>;
}

interface Options extends Omit<OpenHourOptions, "startedAtMs"> {
  readonly past: PastFeed;
  readonly log: Logger;
}

/** How often caches are invalidated while symbols are being filled. */
const REPORT_MS = 5_000;
const RETRY_MS = 1_000;

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
  #isStopped = false;

  constructor(options: Options) {
    const { marketNow, past, outages } = options;
    const startedAtMs = marketNow();
    this.#options = options;
    this.#startedAtMs = startedAtMs;
    this.#progress = { phase: "filling", done: 0, total: past.symbols.length };
    const thread = startThread({ startedAtMs, endMs: Math.floor(startedAtMs / HOUR_MS) * HOUR_MS, past, outages });
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
    this.#isStopped = true;
    clearInterval(this.#reporting);
    if (this.#progress.phase === "filling") this.#progress = { ...this.#progress, phase: "stopped" };
    await Promise.all([this.#thread.terminate(), this.#ended]);
    await this.#openHours;
  }

  #onMessage(message: BackfillMessage): void {
    if (message.type === "open hour") this.#queueOpenHour(message);
    else if (message.type === "interrupted") {
      const { reason } = message;
      this.#options.log.warn({ reason }, "backfill interrupted; it continues when the database is available");
    } else {
      this.#progress = { ...this.#progress, done: this.#progress.done + 1 };
      if (message.isNew) this.#filled++;
    }
  }

  #queueOpenHour(hour: OpenHour): void {
    this.#openHours = this.#openHours
      .then(() => this.#fillOpenHour(hour))
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error, symbol: hour.columns.symbol }, "filling an open hour failed"),
      );
  }

  /** Repeats the work while the database is unavailable. */
  async #fillOpenHour(hour: OpenHour): Promise<void> {
    for (;;) {
      try {
        return await fillOpenHour({ ...this.#options, startedAtMs: this.#startedAtMs }, hour);
      } catch (error) {
        if ((!isDatabaseUnavailable(error) && !isDiskFull(error)) || this.#isStopped) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
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

/** The messages between the server and the thread that fills the past. */

export interface BackfillTask {
  /** The full UTC hour up to which the past is filled. */
  readonly endMs: number;
  /** When recording began, on the market clock: the open hour lacks the time before. */
  readonly startedAtMs: number;
  readonly past: PastFeed;
  readonly outages: readonly Outage[];
}

export type BackfillMessage =
  | ({ readonly type: "open hour" } & OpenHour)
  | { readonly type: "symbol"; readonly symbol: string; readonly isNew: boolean }
  /** The database is unavailable; the thread waits for it. */
  | { readonly type: "interrupted"; readonly reason: string };

/** The progress of back-filling: symbols done, and their total. "off" if the feed has no history. */
export interface BackfillProgress {
  readonly phase: "off" | "filling" | "done" | "failed" | "stopped";
  readonly done: number;
  readonly total: number;
}
