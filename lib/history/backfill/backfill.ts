import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { type HourColumns, type SecondRow, SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS } from "@/lib/time/units";

/** The past is being filled in the background, from a feed that has a history. */
export interface Backfill {
  progress(): BackfillProgress;
  stop(): Promise<void>;
}

interface Options {
  /** Writes rows to the journal. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  readonly keeper: HistoryKeeper;
  readonly past: PastFeed;
  readonly marketNow: Clock;
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
    const { marketNow, past } = options;
    const startedAtMs = marketNow();
    this.#options = options;
    this.#startedAtMs = startedAtMs;
    this.#progress = { phase: "filling", done: 0, total: past.symbols.length };
    const thread = startThread({ startedAtMs, endMs: Math.floor(startedAtMs / HOUR_MS) * HOUR_MS, past });
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
    if (message.type === "open hour") this.#queueOpenHour(message.columns);
    else if (message.type === "interrupted") {
      const { reason } = message;
      this.#options.log.warn({ reason }, "backfill interrupted; it continues when the database is available");
    } else {
      this.#progress = { ...this.#progress, done: this.#progress.done + 1 };
      if (message.isNew) this.#filled++;
    }
  }

  #queueOpenHour(columns: HourColumns): void {
    this.#openHours = this.#openHours
      .then(() => this.#fillOpenHour(columns))
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error, symbol: columns.symbol }, "filling an open hour failed"),
      );
  }

  /** Repeats the work while the database is unavailable. */
  async #fillOpenHour(columns: HourColumns): Promise<void> {
    for (;;) {
      try {
        return await fillOpenHour({ ...this.#options, startedAtMs: this.#startedAtMs }, columns);
      } catch (error) {
        if (!isDatabaseUnavailable(error) || this.#isStopped) throw error;
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

/** Rows in one statement: a few milliseconds of this thread. */
const ROWS_PER_STATEMENT = 1_000;
/** A broker's clock may be this far behind: its first prices can be dated before recording began. */
const BEHIND_SECONDS = 5;

interface OpenHourOptions {
  /** Writes rows to the journal. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  readonly keeper: HistoryKeeper;
  readonly marketNow: Clock;
  /** When recording began, on the market clock. */
  readonly startedAtMs: number;
}

/**
 * Records the missed part of an hour that is still open: from its beginning, or from the last second that an earlier run
 * recorded, until recording began. Does nothing once the hour is over.
 */
async function fillOpenHour(
  { append, keeper, marketNow, startedAtMs }: OpenHourOptions,
  columns: HourColumns,
): Promise<void> {
  const { symbol, hourMs } = columns;
  const { openHours } = keeper;
  const startedAt = Math.floor(startedAtMs / 1000);
  let stoppedAt = hourMs / 1000 - 1;
  for (let second = stoppedAt + 1; second < startedAt - BEHIND_SECONDS; second++) {
    if (openHours.readSecond(symbol, second) !== undefined) stoppedAt = second;
  }
  const missed = listRows(columns).filter(({ second }) => second > stoppedAt && second < startedAt);
  for (let at = 0; at < missed.length; at += ROWS_PER_STATEMENT) {
    // An hour that is over is closed soon; a later write would open it again.
    if (marketNow() >= hourMs + HOUR_MS) return;
    const rows = missed
      .slice(at, at + ROWS_PER_STATEMENT)
      .filter(({ second }) => openHours.readSecond(symbol, second) === undefined);
    await append(rows);
    keeper.onRecorded(rows, openHours.completeUntilMs);
  }
}

function listRows({ symbol, digits, hourMs, updates, bid, ask, open, high, low }: HourColumns): SecondRow[] {
  const rows: SecondRow[] = [];
  for (let at = 0; at < SECONDS_PER_HOUR; at++) {
    if (updates[at] === 0) continue;
    const [bidPoints, askPoints] = [bid[at] as number, ask[at] as number];
    const range = { open: open[at] as number, high: high[at] as number, low: low[at] as number };
    const second = hourMs / 1000 + at;
    rows.push({ symbol, digits, second, bid: bidPoints, ask: askPoints, ...range, updates: updates[at] as number });
  }
  return rows;
}

/** The messages between the server and the thread that fills the past. */

export interface BackfillTask {
  /** The full UTC hour up to which the past is filled. */
  readonly endMs: number;
  /** When recording began, on the market clock: the open hour lacks the time before. */
  readonly startedAtMs: number;
  readonly past: PastFeed;
}

export type BackfillMessage =
  | { readonly type: "open hour"; readonly columns: HourColumns }
  | { readonly type: "symbol"; readonly symbol: string; readonly isNew: boolean }
  /** The database is unavailable; the thread waits for it. */
  | { readonly type: "interrupted"; readonly reason: string };

/** The progress of back-filling: symbols done, and their total. "off" if the feed has no history. */
export interface BackfillProgress {
  readonly phase: "off" | "filling" | "done" | "failed" | "stopped";
  readonly done: number;
  readonly total: number;
}
