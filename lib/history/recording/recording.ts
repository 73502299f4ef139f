import type { Pool } from "pg";
import type { Quote } from "@/lib/feeds/intake";
import { restoreSeconds, setAsideSeconds } from "@/lib/history/ahead";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour, readClosedHours } from "@/lib/history/journal";
import { getHourStart } from "@/lib/history/open-hours";
import { type Cause, Causes } from "@/lib/history/proof/hour-proofs";
import { LeaseHolder } from "@/lib/history/recording/lease-holder";
import { Recorder, type RecorderCounts } from "@/lib/history/recording/recorder";
import { LeaseLost, readLease } from "@/lib/history/recording/recorder-lease";
import { WhileRecording } from "@/lib/history/recording/while-recording";
import type { Logger } from "@/lib/platform/log/log";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";
import { repeat, shareRuns } from "@/lib/platform/timing/repeat";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly keeper: HistoryKeeper;
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  readonly marketNow: Clock;
  /** Milliseconds of the market clock, which pass evenly also when the clock is set. */
  readonly marketElapsed: Clock;
  readonly log: Logger;
  /** Whether no other server can use the database. */
  readonly isExclusive: boolean;
  readonly flushMs?: number;
}

/** The state of recording, for the operator. */
export interface RecordingStatus extends Readonly<RecorderCounts> {
  /** The server that records in place of this one; null if this one records. */
  readonly standbyFor: string | null;
  /** Seconds that were dated by a clock that was ahead, and were set aside since the start. */
  readonly setAside: number;
  /** Milliseconds since this server last wrote everything there was to write, or as a standby last read it. */
  readonly silenceMs: number;
}

const FLUSH_MS = 1_000;
/** Quotes are dated a second ahead of their receipt at most; what is dated further ahead was received by another clock. */
const FUTURE_MS = 5_000;
/** How long after its end an hour accepts late seconds. */
const GRACE_MS = 65_000;
/** The time for closing overdue hours at start, normally one or two. With more, prices do not wait for all of them. */
const CLOSING_AT_START_MS = 2_000;

/** Loads the data of an earlier run, closes overdue hours, and starts recording. Call it before the first price. */
export async function startRecording(options: Options): Promise<Recording> {
  const recording = new Recording(options);
  await recording.start();
  return recording;
}

/**
 * Runs the recorder: writes once a second, and closes the hours that are over. Of the servers on one database only one
 * records. The others are standbys: they follow its journal, keep the newest seconds in memory, and one takes over when
 * it ends.
 */
export class Recording {
  readonly onQuote: (quote: Quote) => void;
  /** The other work of the server that records. */
  readonly whileRecording: WhileRecording;
  readonly #options: Options;
  readonly #recorder: Recorder;
  readonly #work: () => Promise<void>;
  readonly #repetition: ReturnType<typeof repeat>;
  readonly lease: LeaseHolder;
  readonly #standby: Standby;
  readonly #arrivals: HourArrivals;
  readonly #journal: JournalWriter;
  #isRecording = false;
  #setAside = 0;
  /** By how much the market clock was ahead of the one that cannot be set. */
  #offsetMs = Infinity;
  /** When an hour was last closed, and the rows that waited were written, on the monotonic clock. */
  #closedAtMs = -Infinity;

  constructor(options: Options) {
    const { pool, keeper, servedSource, marketNow, log, flushMs = FLUSH_MS } = options;
    this.#options = options;
    this.#recorder = new Recorder({
      openHours: keeper.openHours,
      closedHours: [],
      servedSource,
      marketNow,
      log,
      append: (rows) => this.append(rows),
      onRecorded: (rows, completeUntilMs) => keeper.onRecorded(rows, completeUntilMs),
    });
    this.whileRecording = new WhileRecording(log);
    this.#arrivals = new HourArrivals(options.marketElapsed);
    this.onQuote = (quote) => {
      this.#arrivals.onPrice(quote.timeMs);
      this.#recorder.onQuote(quote);
    };
    this.lease = new LeaseHolder({ ...options, onLose: () => this.#standBy() });
    this.#standby = new Standby(pool, keeper);
    this.#journal = new JournalWriter(pool);
    this.#work = shareRuns(() => this.#run());
    this.#repetition = repeat(this.#work, {
      pauseMs: flushMs,
      onFailure: (error) => log.error({ err: error }, "recording stalled; seconds wait in memory"),
      onRecovery: () => log.info(this.status(), "recording resumed"),
    });
  }

  /** Closes overdue hours, within a bound of time, and begins to write once a second. */
  async start(): Promise<void> {
    const { keeper, marketNow, log } = this.#options;
    await this.lease.acquire(Math.floor(marketNow()));
    await keeper.restore();
    await this.#refuseClosedHours();
    if (this.lease.isHeld) {
      this.#begin();
      keeper.openHours.advance(marketNow());
      await this.#followClock()
        .then(() => this.#closeOverdueHours(performance.now() + CLOSING_AT_START_MS))
        .catch((error: unknown) => log.error({ err: error }, "closing an overdue hour failed; it is retried"));
    } else {
      this.#recorder.standBy();
      await this.#standby.follow();
      log.warn({ recorder: this.#standby.holder }, "another server records on this database; this one is its standby");
    }
    this.#repetition.start();
    this.lease.watch(this.#work);
  }

  status(): RecordingStatus {
    return {
      ...this.#recorder.counts(),
      setAside: this.#setAside,
      standbyFor: this.#isRecording ? null : this.#standby.holder,
      // While hours are closed after a long pause, each of them is a success.
      silenceMs: Math.round(Math.min(this.#repetition.getSilenceMs(), monotonicClock() - this.#closedAtMs)),
    };
  }

  /** Writes every finished second now. The next second tries again what failed. */
  async store(): Promise<void> {
    await this.#work().catch(() => {});
  }

  /** Saves what is only in memory and not in the journal. A standby leaves that to the recorder. */
  async save(): Promise<void> {
    if (this.#isRecording) await this.#options.keeper.save(this.lease.fence);
  }

  /** Writes the last rows, and lets another server record. */
  async stop(): Promise<void> {
    const { log } = this.#options;
    this.#repetition.stop();
    try {
      if (this.#isRecording) await this.#work();
      if (this.#isRecording) await this.#recorder.finish();
    } catch (error) {
      log.error({ err: error }, "recording the last seconds failed; they are lost");
    }
    await this.save().catch((error: unknown) => log.error({ err: error }, "saving the latest spreads failed"));
    await this.lease.release().catch((error: unknown) => log.warn({ err: error }, "releasing the lease failed"));
  }

  /**
   * Writes rows to the journal. Throws LeaseLost on a standby.
   *
   * @param cause what wrote them, if not the recorder
   */
  async append(rows: readonly SecondRow[], cause: Cause | null = null): Promise<void> {
    await this.#journal.append(rows, this.lease.fence, cause);
  }

  async #run(): Promise<void> {
    if (!this.#isRecording && !(await this.#takeOver())) {
      return this.#followRecorder();
    }
    try {
      await this.#followClock();
      await this.#recorder.flush();
      await this.#closeOverdueHours();
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      this.lease.lose();
    }
  }

  /**
   * Sets aside what lies after now: the clock was ahead. It is served no more, and nothing is added to it at its time. If
   * the clock is then set forward, it was right, and what was set aside comes back.
   */
  async #followClock(): Promise<void> {
    const { pool, keeper, marketNow, log } = this.#options;
    if (this.#isSetForward()) {
      const seconds = await restoreSeconds(pool, this.lease.fence, marketNow());
      if (seconds > 0) {
        await keeper.readJournal();
        keeper.onRewritten();
        log.warn({ seconds }, "seconds that were set aside are recorded again: the clock was behind");
      }
    }
    const untilMs = Math.floor(marketNow()) + SECOND_MS;
    if (Math.max(keeper.openHours.newestMs, this.#recorder.newestMs) <= untilMs + FUTURE_MS) return;
    await this.#recorder.finish();
    const { seconds, hoursMs } = await setAsideSeconds(pool, this.lease.fence, untilMs);
    keeper.onRewritten(untilMs);
    this.#recorder.setBack(untilMs);
    for (const hourMs of hoursMs) this.#recorder.reopen(hourMs);
    this.#setAside += seconds;
    log.warn(
      { seconds, after: new Date(untilMs).toISOString() },
      "seconds after now were set aside: a clock was ahead",
    );
  }

  /** Whether the market clock has gone on by more than the time since the last call. */
  #isSetForward(): boolean {
    const before = this.#offsetMs;
    this.#offsetMs = this.#options.marketNow() - this.#options.marketElapsed();
    return this.#offsetMs - before > FUTURE_MS;
  }

  async #followRecorder(): Promise<void> {
    await this.#standby.follow();
    this.#recorder.discardBefore(this.#options.keeper.openHours.completeUntilMs);
  }

  /** Continues the recording of a server that has ended. Returns false while another server records. */
  async #takeOver(): Promise<boolean> {
    if (!this.lease.isHeld && !(await this.lease.acquire())) return false;
    await this.#followRecorder();
    await this.#options.keeper.readJournal();
    await this.#refuseClosedHours();
    if (!this.lease.isHeld) return false;
    this.#recorder.takeOver();
    this.#begin();
    this.#options.log.info("this server has taken over recording");
    return true;
  }

  async #refuseClosedHours(): Promise<void> {
    for (const hourMs of await readClosedHours(this.#options.pool)) this.#recorder.refuse(hourMs);
  }

  #begin(): void {
    this.#isRecording = true;
    this.whileRecording.begin(this.lease.fence);
  }

  #standBy(): void {
    if (!this.#isRecording) return;
    this.#isRecording = false;
    this.#recorder.standBy();
    this.whileRecording.end();
    this.#options.log.warn("another server has taken over recording; this one is its standby");
  }

  async #closeOverdueHours(deadline = Infinity): Promise<void> {
    for (;;) {
      const starts = this.#options.keeper.openHours.listStarts();
      const hourMs = starts.find((startMs) => this.#isOverdue(startMs));
      if (hourMs === undefined || performance.now() > deadline) return;
      await this.#closeHour(hourMs);
      // In a recording that is replayed fast, hours pass in moments, so the queue is drained between them.
      await this.#recorder.drain();
      this.#closedAtMs = monotonicClock();
    }
  }

  #isOverdue(hourMs: number): boolean {
    const { completeUntilMs } = this.#options.keeper.openHours;
    const closesAtMs = hourMs + HOUR_MS + GRACE_MS;
    if (closesAtMs > completeUntilMs || !this.#arrivals.canBe(hourMs, closesAtMs)) return false;
    return !this.#recorder.isWaiting(hourMs);
  }

  async #closeHour(hourMs: number): Promise<void> {
    const { keeper, log } = this.#options;
    const hour = new Date(hourMs).toISOString();
    const startedAtMs = performance.now();
    this.#recorder.refuse(hourMs);
    try {
      await keeper.close(hourMs, this.lease.fence);
    } catch (error) {
      this.#recorder.reopen(hourMs);
      if (error instanceof LeaseLost) throw error;
      throw new Error(`The hour from ${hour} cannot be closed`, { cause: error });
    }
    this.#journal.onClosed(hourMs);
    const tookMs = Math.round(performance.now() - startedAtMs);
    log.info({ hour, tookMs, ...this.status() }, "hour closed");
  }
}

interface Newest {
  timeMs: number;
  receivedAtMs: number;
}

/** More hours than can be open at once. */
const MAX_HOURS = 8;

/**
 * When the newest price of each hour was received, by a clock that cannot be set. If the market clock was set ahead, an
 * hour looks over while its prices still arrive; closing it would refuse them.
 */
class HourArrivals {
  readonly #elapsed: Clock;
  readonly #hours = new Map<number, Newest>();

  constructor(elapsed: Clock) {
    this.#elapsed = elapsed;
  }

  onPrice(timeMs: number): void {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const newest = this.#hours.get(hourMs);
    if (newest === undefined) this.#add(hourMs, timeMs);
    else if (timeMs > newest.timeMs) {
      newest.timeMs = timeMs;
      newest.receivedAtMs = this.#elapsed();
    }
  }

  /** Whether `untilMs` can have come since the newest price of the hour. True for an hour without prices. */
  canBe(hourMs: number, untilMs: number): boolean {
    const newest = this.#hours.get(hourMs);
    if (newest === undefined) return true;
    return this.#elapsed() - newest.receivedAtMs >= untilMs - newest.timeMs;
  }

  #add(hourMs: number, timeMs: number): void {
    this.#hours.set(hourMs, { timeMs, receivedAtMs: this.#elapsed() });
    const [oldest] = this.#hours.keys();
    if (this.#hours.size > MAX_HOURS && oldest !== undefined) this.#hours.delete(oldest);
  }
}

/** Writes rows to the journal, and prepares room for each hour before its first row. */
class JournalWriter {
  readonly #pool: Pool;
  readonly #preparedHours = new Set<number>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Throws LeaseLost unless `fence` holds the lease. */
  async append(rows: readonly SecondRow[], fence: number, cause: Cause | null): Promise<void> {
    try {
      for (const hourMs of new Set(rows.map(({ second }) => getHourStart(second)))) {
        if (this.#preparedHours.has(hourMs)) continue;
        await openJournalHour(this.#pool, hourMs);
        this.#preparedHours.add(hourMs);
      }
      const written = cause === null ? null : await new Causes(this.#pool).find(cause);
      await appendSeconds(this.#pool, fence, rows, written);
    } catch (error) {
      this.#preparedHours.clear(); // The next attempt prepares its hours again.
      throw error;
    }
  }

  onClosed(hourMs: number): void {
    this.#preparedHours.delete(hourMs);
  }
}

/** How late the recorder may store a second, in seconds of the market clock. */
const LATE_SECONDS = 70;

/** Keeps the open hours of a server that does not record equal to the journal that another server writes. */
class Standby {
  readonly #pool: Pool;
  readonly #keeper: HistoryKeeper;
  #seenRevision: number | null = null;
  #holder = "";

  constructor(pool: Pool, keeper: HistoryKeeper) {
    this.#pool = pool;
    this.#keeper = keeper;
  }

  /** The server that recorded last. */
  get holder(): string {
    return this.#holder;
  }

  /** Reads what the recorder has written since the last call. */
  async follow(): Promise<void> {
    const { openHours } = this.#keeper;
    const { holder, completeUntilMs, revision } = await readLease(this.#pool);
    this.#holder = holder;
    // The recorder has set seconds aside if those here are far ahead of it.
    const isAhead = openHours.newestMs > completeUntilMs + MINUTE_MS;
    if (revision !== this.#seenRevision) await this.#keeper.followClosedHours(isAhead ? completeUntilMs : undefined);
    this.#seenRevision = revision;
    await this.#keeper.readRecentRows(Math.floor(openHours.completeUntilMs / 1000) - LATE_SECONDS);
    this.#keeper.onRecorded([], completeUntilMs);
  }
}
