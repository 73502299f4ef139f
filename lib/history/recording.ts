import type { Pool } from "pg";
import type { Quote } from "@/lib/feeds/intake";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour, readClosedHours } from "@/lib/history/journal";
import { getHourStart } from "@/lib/history/open-hours";
import { Recorder, type RecorderCounts } from "@/lib/history/recorder";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { repeat, shareRuns } from "@/lib/platform/repeat";
import { HOUR_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly keeper: HistoryKeeper;
  readonly instruments: readonly Instrument[];
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  readonly marketNow: Clock;
  readonly log: Logger;
  readonly flushMs?: number;
}

const FLUSH_MS = 1_000;
/** How long after its end an hour accepts late seconds. */
const GRACE_MS = 65_000;
/** The time for closing overdue hours at start, normally one or two. With more, prices do not wait for all of them. */
const CLOSING_AT_START_MS = 2_000;

/** Loads the data of an earlier run, closes overdue hours, and starts recording. Call it before the first price. */
export async function startRecording(options: Options): Promise<Recording> {
  const closedHours = await readClosedHours(options.pool);
  await options.keeper.readJournal();
  const recording = new Recording(options, closedHours);
  await recording.start();
  return recording;
}

/** Runs the recorder: writes once a second, and closes the hours that are over. */
export class Recording {
  readonly onQuote: (quote: Quote) => void;
  readonly #options: Options;
  readonly #recorder: Recorder;
  readonly #work: () => Promise<void>;
  readonly #repetition: ReturnType<typeof repeat>;
  /** Hours that have room in the journal. */
  readonly #preparedHours = new Set<number>();

  constructor(options: Options, closedHours: readonly number[]) {
    const { keeper, instruments, servedSource, marketNow, log, flushMs = FLUSH_MS } = options;
    this.#options = options;
    this.#recorder = new Recorder({
      instruments,
      openHours: keeper.openHours,
      closedHours,
      servedSource,
      marketNow,
      log,
      append: (rows) => this.#append(rows),
      onRecorded: (rows, completeUntilMs) => keeper.onRecorded(rows, completeUntilMs),
    });
    this.onQuote = (quote) => this.#recorder.onQuote(quote);
    this.#work = shareRuns(async () => {
      await this.#recorder.flush();
      await this.#closeOverdueHours();
    });
    this.#repetition = repeat(this.#work, {
      pauseMs: flushMs,
      onFailure: (error) => log.error({ err: error }, "recording stalled; seconds wait in memory"),
      onRecovery: () => log.info(this.counts(), "recording resumed"),
    });
  }

  /** Closes overdue hours, within a bound of time, and begins to write once a second. */
  async start(): Promise<void> {
    const { keeper, marketNow, log } = this.#options;
    keeper.openHours.advance(marketNow());
    await this.#closeOverdueHours(performance.now() + CLOSING_AT_START_MS).catch((error: unknown) =>
      log.error({ err: error }, "closing an overdue hour failed; it is retried"),
    );
    this.#repetition.start();
  }

  counts(): Readonly<RecorderCounts> {
    return this.#recorder.counts();
  }

  /** Writes the last rows. */
  async stop(): Promise<void> {
    this.#repetition.stop();
    try {
      await this.#work();
      await this.#recorder.finish();
    } catch (error) {
      this.#options.log.error({ err: error }, "recording the last seconds failed; they are lost");
    }
  }

  async #append(rows: readonly SecondRow[]): Promise<void> {
    const { pool } = this.#options;
    try {
      for (const hourMs of new Set(rows.map(({ second }) => getHourStart(second)))) {
        if (this.#preparedHours.has(hourMs)) continue;
        await openJournalHour(pool, hourMs);
        this.#preparedHours.add(hourMs);
      }
      await appendSeconds(pool, rows);
    } catch (error) {
      // After any failure, the next attempt prepares its hours again.
      this.#preparedHours.clear();
      throw error;
    }
  }

  async #closeOverdueHours(deadline = Infinity): Promise<void> {
    for (;;) {
      const starts = this.#options.keeper.openHours.listStarts();
      const hourMs = starts.find((startMs) => this.#isOverdue(startMs));
      if (hourMs === undefined || performance.now() > deadline) return;
      await this.#closeHour(hourMs);
      // In a recording that is replayed fast, hours pass in moments, so the queue is drained between them.
      await this.#recorder.drain();
    }
  }

  #isOverdue(hourMs: number): boolean {
    const { completeUntilMs } = this.#options.keeper.openHours;
    return hourMs + HOUR_MS + GRACE_MS <= completeUntilMs && !this.#recorder.isWaiting(hourMs);
  }

  async #closeHour(hourMs: number): Promise<void> {
    const { keeper, log } = this.#options;
    const hour = new Date(hourMs).toISOString();
    const startedAtMs = performance.now();
    this.#recorder.refuse(hourMs);
    try {
      await keeper.close(hourMs);
    } catch (error) {
      this.#recorder.reopen(hourMs);
      throw new Error(`The hour from ${hour} cannot be closed`, { cause: error });
    }
    this.#preparedHours.delete(hourMs);
    const tookMs = Math.round(performance.now() - startedAtMs);
    log.info({ hour, tookMs, ...this.counts() }, "hour closed");
  }
}
