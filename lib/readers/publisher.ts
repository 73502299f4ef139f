import { randomBytes } from "node:crypto";
import type { Book, BookUpdate } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import type { HistoryFollower } from "@/lib/history/history";
import type { Instrument } from "@/lib/market/instrument";
import type { Logger } from "@/lib/platform/log/log";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";
import { machineClock } from "@/lib/platform/timing/steady-clock";
import {
  type Change,
  type Changes,
  countChanges,
  encodeSecond,
  type QuoteMessage,
  type Snapshot,
} from "@/lib/readers/messages";

interface Options {
  readonly book: Pick<Book, "sources" | "findGapMs">;
  readonly listSources: () => readonly FeedSource[];
  readonly isInPast: boolean;
  readonly instruments: readonly Instrument[];
  readonly marketNow: Clock;
  readonly saveHistory: () => Promise<void>;
  /** How long ago this process had the newest changes, if it follows another one itself. */
  readonly lagMs: () => number;
  /** How long changes are collected before they are sent. */
  readonly everyMs: number;
  readonly log: Logger;
}

/** How a reader receives: a snapshot, then everything that changes after it. */
export type Send = (message: Snapshot | Changes) => void;

/** Without changes, readers get an empty message this often. */
const IDLE_MS = 50;

/** Numbers everything that changes at the writer, and sends it to its readers in batches. */
export class Publisher {
  /** Publishes recorded seconds and changes of the history. */
  readonly history: HistoryFollower = {
    onRecorded: (rows, completeUntilMs) =>
      this.#publish({ type: "recorded", seconds: rows.map(encodeSecond), completeUntilMs }),
    onClosed: (hourMs) => this.#publish({ type: "closed", hourMs }),
    onRewritten: (presentMs) => this.#publish({ type: "rewritten", presentMs }),
  };
  readonly #options: Options;
  readonly #epoch = randomBytes(6).toString("hex");
  readonly #readers = new Set<Send>();
  readonly #timer: NodeJS.Timeout;
  #at = 0;
  #changes: Change[] = [];
  #quotes: QuoteMessage[] = [];
  #sentAtMs = -Infinity;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => this.#send(), options.everyMs).unref();
  }

  /** Publishes a price that the book accepted. */
  readonly onQuote = ({ source, instrument, bid, ask, timeMs }: BookUpdate): void => {
    if (this.#readers.size > 0) this.#quotes.push([source, instrument.symbol, bid, ask, timeMs]);
  };

  /** Publishes the changed list of sources, after every price that came before. */
  readonly onSources = (sources: readonly FeedSource[], dropped: ReadonlySet<string>): void =>
    this.#publish({ type: "sources", sources, dropped: [...dropped] });

  /** Publishes instruments that were added, changed or removed, before every price that comes after. */
  readonly onInstruments = (changed: readonly Instrument[]): void => {
    const listed = new Set(this.#options.instruments);
    const put = changed.filter((instrument) => listed.has(instrument));
    const dropped = changed.flatMap((instrument) => (listed.has(instrument) ? [] : instrument.symbol));
    this.#publish({ type: "instruments", put, dropped });
  };

  /** Sends a snapshot, then every later change. A reader that is added again gets a snapshot among its changes. */
  async add(send: Send): Promise<void> {
    const { saveHistory, listSources, isInPast, instruments, log } = this.#options;
    // What is only in memory; the reader finds it in the database.
    await saveHistory().catch((error: unknown) =>
      log.warn({ err: error }, "saving the latest spreads failed; a reader starts without them"),
    );
    this.#send();
    send({
      type: "snapshot",
      ...this.#stamp(),
      sources: listSources(),
      isInPast,
      instruments: instruments.filter(({ addedBy }) => addedBy !== undefined),
      quotes: this.#listNewestQuotes(),
    });
    this.#readers.add(send);
  }

  remove(send: Send): void {
    this.#readers.delete(send);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #publish(change: Change): void {
    if (this.#readers.size === 0) return;
    this.#closeQuotes();
    this.#changes.push(change);
  }

  /** Changes of other kinds must not overtake the prices before them. */
  #closeQuotes(): void {
    if (this.#quotes.length > 0) this.#changes.push({ type: "quotes", quotes: this.#quotes });
    this.#quotes = [];
  }

  #send(): void {
    this.#closeQuotes();
    const isIdle = this.#changes.length === 0;
    if (this.#readers.size === 0 || (isIdle && monotonicClock() - this.#sentAtMs < IDLE_MS)) return;
    const changes = this.#changes;
    this.#changes = [];
    const message: Changes = { type: "changes", ...this.#stamp(), changes };
    this.#at += countChanges(changes);
    this.#sentAtMs = monotonicClock();
    for (const send of this.#readers) send(message);
  }

  #stamp() {
    const lagMs = this.#options.lagMs();
    const [sentAtMs, marketNowMs] = [machineClock() - lagMs, this.#options.marketNow() - lagMs];
    return { epoch: this.#epoch, at: this.#at, sentAtMs, marketNowMs };
  }

  #listNewestQuotes(): QuoteMessage[] {
    const { instruments, book } = this.#options;
    return instruments.flatMap(({ symbol }) =>
      book
        .sources(symbol)
        .map(
          ({ source, bid, ask, timeMs }) => [source, symbol, bid, ask, timeMs, book.findGapMs(symbol, source)] as const,
        ),
    );
  }
}
