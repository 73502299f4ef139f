import type { FeedSource } from "@/lib/feeds/feed";
import type { HistoryFollower } from "@/lib/history/history";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/timing/clock";
import {
  type Changes,
  countChanges,
  decodeSecond,
  type HistoryChange,
  type QuoteMessage,
  type Snapshot,
} from "@/lib/readers/messages";
import { SECOND_MS } from "@/lib/time/units";

/** What a reader fills with the writer's changes. */
export interface Copies {
  /** Replaces all sources and prices by those of a snapshot. */
  replace(snapshot: Snapshot): void;
  /** Reads the history again from the database, which has everything that was recorded before the snapshot. */
  reload(): Promise<void>;
  onQuotes(quotes: readonly QuoteMessage[]): void;
  onSources(sources: readonly FeedSource[], dropped: ReadonlySet<string>): void;
  onInstruments(put: readonly Instrument[], dropped: readonly string[]): void;
  readonly history: HistoryFollower;
}

interface Options {
  readonly monotonic: Clock;
  /** Requests a snapshot: at the start, and when changes are missing. */
  readonly requestSnapshot: () => void;
}

/** How far a reader is behind its writer. */
export interface Lag {
  /** Since the last message after which the reader had everything. */
  readonly ms: number;
  /** Changes that are known to be missing. */
  readonly changes: number;
}

/** A writer that sends nothing for this long has stopped: it sends something every 50 ms. */
const SILENT_MS = 5_000;
/** How often a missing snapshot is requested again. */
const REQUEST_EVERY_MS = 1_000;

/**
 * Follows the writer's changes from a snapshot on. It finds gaps by the numbers of the changes, and closes them with a
 * new snapshot. Prices are applied at once; changes of the history wait while the history is read.
 */
export class ChangeFollower {
  readonly #options: Options;
  readonly #clock: FollowedClock;
  readonly #first: Promise<Snapshot>;
  #resolveFirst: (snapshot: Snapshot) => void = () => {};
  #copies: Copies | null = null;
  /** What came before there were copies. */
  #early: (Snapshot | Changes)[] = [];
  #epoch = "";
  /** The position of the reader; null while it waits for a snapshot. */
  #at: number | null = null;
  /** The newest position of the writer. */
  #writerAt = 0;
  #lastAt = 0;
  #currentAtMs: number;
  #requestedAtMs = -Infinity;
  #isInPast = false;
  /** Changes of the history that wait for it to be read; null while it is not read. */
  #waiting: HistoryChange[] | null = null;
  #loading = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#clock = new FollowedClock(options.monotonic);
    this.#currentAtMs = options.monotonic();
    this.#first = new Promise((resolve) => (this.#resolveFirst = resolve));
  }

  /** Resolves with the first snapshot. */
  start(): Promise<Snapshot> {
    this.#request();
    return this.#first;
  }

  /** The market clock, as the writer's. */
  readonly marketNow = (): number => this.#clock.now();

  /** Applies what has come since the first snapshot, and everything later. Resolves once the history was read. */
  async follow(copies: Copies): Promise<void> {
    this.#copies = copies;
    for (const message of this.#early.splice(0)) this.#apply(message);
    await this.#loading;
  }

  lag(): Lag {
    const ms = Math.max(0, Math.round(this.#options.monotonic() - this.#currentAtMs));
    return { ms, changes: Math.max(0, this.#writerAt - (this.#at ?? this.#lastAt)) };
  }

  get needsSnapshot(): boolean {
    return this.#at === null;
  }

  /** Whether changes are missing, or the writer has stopped: the copies must not be served. */
  get isStale(): boolean {
    return this.#at === null || this.#options.monotonic() - this.#currentAtMs >= SILENT_MS;
  }

  /** @param transitMs how long the message took, so that a process that was held up does not take it for new */
  readonly onMessage = (message: Snapshot | Changes, transitMs: number): void => {
    // It was requested by another reader of the same channel.
    if (message.type === "snapshot" && message.epoch === this.#epoch && !this.needsSnapshot) return;
    const sentAtMs = this.#options.monotonic() - transitMs;
    if (message.type === "snapshot") {
      this.#epoch = message.epoch;
      this.#at = message.at;
      this.#isInPast = message.isInPast;
    } else if (message.epoch !== this.#epoch || message.at !== this.#at) {
      this.#writerAt = message.at + countChanges(message.changes);
      this.#request();
      return;
    } else this.#at += countChanges(message.changes);
    this.#lastAt = this.#writerAt = this.#at;
    this.#currentAtMs = sentAtMs;
    this.#clock.set(message.marketNowMs, sentAtMs, this.#isInPast);
    if (message.type === "snapshot") this.#resolveFirst(message);
    if (this.#copies === null) this.#early.push(message);
    else this.#apply(message);
  };

  #request(): void {
    this.#at = null;
    const nowMs = this.#options.monotonic();
    if (nowMs - this.#requestedAtMs < REQUEST_EVERY_MS) return;
    this.#requestedAtMs = nowMs;
    this.#options.requestSnapshot();
  }

  #apply(message: Snapshot | Changes): void {
    const copies = this.#copies as Copies;
    if (message.type === "snapshot") {
      copies.replace(message);
      this.#loading = this.#reload(copies);
      return;
    }
    for (const change of message.changes) {
      if (change.type === "quotes") copies.onQuotes(change.quotes);
      else if (change.type === "sources") copies.onSources(change.sources, new Set(change.dropped));
      else if (change.type === "instruments") copies.onInstruments(change.put, change.dropped);
      else if (this.#waiting === null) passHistory(change, copies.history);
      else this.#waiting.push(change);
    }
  }

  async #reload(copies: Copies): Promise<void> {
    const waiting: HistoryChange[] = [];
    this.#waiting = waiting;
    try {
      await copies.reload();
    } catch {
      // The history lacks rows that are in the database; the next snapshot reads them.
      if (this.#waiting === waiting) this.#request();
    }
    // A newer snapshot reads the history itself.
    if (this.#waiting !== waiting) return;
    this.#waiting = null;
    for (const change of waiting) passHistory(change, copies.history);
  }
}

function passHistory(change: HistoryChange, follower: HistoryFollower): void {
  if (change.type === "recorded") follower.onRecorded(change.seconds.map(decodeSecond), change.completeUntilMs);
  else if (change.type === "closed") follower.onClosed(change.hourMs);
  else follower.onRewritten(change.presentMs);
}

/** A clock that is set back by more was changed; by less, its message may only have been late. */
const MAX_LATE_MS = 5 * SECOND_MS;
/** A clock that is behind for this long was changed. */
const CONFIRM_MS = SECOND_MS;

/** The market clock of a writer, as a reader knows it from the writer's messages. */
export class FollowedClock {
  readonly #monotonic: Clock;
  #offsetMs = 0;
  #confirmedAtMs = 0;

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  /** UTC milliseconds, once it was set. */
  readonly now = (): number => Math.floor(this.#monotonic() + this.#offsetMs);

  /**
   * Sets the clock by a message. One that a busy writer sent late, which nothing else shows, would set it back, and prices
   * would look younger than they are.
   *
   * @param sentAtMs when the message was sent, by the reader's clock
   * @param isRecording whether the writer replays a recording, whose time need not pass as fast as ours
   */
  set(marketNowMs: number, sentAtMs: number, isRecording: boolean): void {
    const offsetMs = marketNowMs - sentAtMs;
    const behindMs = this.#offsetMs - offsetMs;
    const isLate = behindMs > 0 && behindMs <= MAX_LATE_MS && sentAtMs - this.#confirmedAtMs < CONFIRM_MS;
    if (isLate && !isRecording) return;
    this.#offsetMs = offsetMs;
    this.#confirmedAtMs = sentAtMs;
  }
}
