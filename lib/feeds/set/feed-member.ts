import type { Feed, FeedSink, FeedSource, FetchPast } from "@/lib/feeds/feed";
import type { PlannedFeed } from "@/lib/feeds/set/feed-plan";
import type { FeedSetting } from "@/lib/feeds/settings/feed-setting";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { describeFault } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly sink: FeedSink;
  readonly monotonic: Clock;
  readonly log: Logger;
}

/** One run of the feed, from its start to its failure or its stop. */
interface Run {
  isOver: boolean;
}

const FIRST_PAUSE_MS = SECOND_MS;
const LONGEST_PAUSE_MS = 5 * MINUTE_MS;
/** After a run of this length, the next failure counts as the first. */
const STABLE_MS = MINUTE_MS;

/** One feed of a set. It is started again after a failure, and no other feed is affected. */
export class FeedMember {
  readonly sources: readonly FeedSource[];
  readonly hasHistory: boolean;
  readonly ownClock: Clock | undefined;
  readonly key: string;
  readonly origin: string;
  /** The canonical symbols that it asks for; null if they are not known. */
  readonly subscribed: readonly string[] | null;
  /** Only settings that need no new start may be replaced. */
  setting: FeedSetting;
  /** Why it failed last, for the operator; null if it never did. */
  lastError: string | null = null;
  readonly #open: () => Feed;
  readonly #options: Options;
  readonly #names: readonly string[];
  #feed: Feed | null;
  #run: Run = { isOver: true };
  /** The last report of each source in this run, also of paused ones. */
  readonly #reports = new Map<string, Parameters<FeedSink["status"]>>();
  /** The sources whose ticks are passed on. */
  #active: ReadonlySet<string>;
  /** The canonical symbols whose ticks are passed on; null for all. */
  #quoted: ReadonlySet<string> | null;
  #isWanted = false;
  #retry: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #startedAtMs = 0;

  constructor({ setting, feed, open, quoted, subscribed, key, origin }: PlannedFeed, options: Options) {
    this.setting = setting;
    this.sources = feed.sources;
    this.subscribed = subscribed;
    this.origin = origin;
    this.#quoted = quoted === null ? null : new Set(quoted);
    this.hasHistory = feed.history !== undefined;
    this.ownClock = feed.ownClock;
    this.key = key;
    this.#feed = feed;
    this.#open = open;
    this.#options = options;
    this.#names = feed.sources.map(({ name }) => name);
    this.#active = new Set(this.#names);
  }

  /** The canonical symbols that a fallback may quote. */
  get quoted(): readonly string[] {
    return [...(this.#quoted ?? [])];
  }

  /** Replaces what a fallback may quote, and returns what it may not quote any more. */
  setQuoted(quoted: readonly string[] | null): readonly string[] {
    const before = this.quoted;
    this.#quoted = quoted === null ? null : new Set(quoted);
    return before.filter((symbol) => this.#quoted?.has(symbol) === false);
  }

  /** Whether it failed, and waits to be started again. */
  get isFailed(): boolean {
    return this.#isWanted && this.#run.isOver;
  }

  /** How its past is fetched; undefined if it has none. Also while it is paused. */
  getFetchPast(): FetchPast | undefined {
    this.#feed ??= this.#open();
    return this.#feed.fetchPast;
  }

  /** Never rejects: a feed that cannot start is started again later. */
  async start(): Promise<void> {
    this.#isWanted = true;
    if (this.#active.size > 0 && this.#run.isOver) await this.#attempt();
  }

  /** Never rejects. Afterwards nothing reaches the sink. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#end();
  }

  /** Drops what paused sources send. Once all sources are paused, the feed itself is stopped. */
  async setPaused(paused: ReadonlySet<string>): Promise<void> {
    this.#active = new Set(this.#names.filter((name) => !paused.has(name)));
    // The clock of the market depends on a replay at its own time.
    if (!this.#isWanted || this.ownClock !== undefined) return;
    if (this.#active.size === 0) await this.#end();
    else if (this.#run.isOver && this.#retry === undefined) await this.#attempt();
  }

  /** Reports the connections of these sources again, after what was known of them was dropped while the feed goes on. */
  repeatReports(names: ReadonlySet<string>): void {
    if (this.#run.isOver) return;
    for (const [name, report] of this.#reports) {
      if (names.has(name) && this.#active.has(name)) this.#options.sink.status(...report);
    }
  }

  async #attempt(): Promise<void> {
    this.#retry = undefined;
    const run: Run = { isOver: false };
    this.#run = run;
    this.#reports.clear();
    this.#startedAtMs = this.#options.monotonic();
    try {
      this.#feed ??= this.#open();
      await this.#feed.start(this.#createSink(run));
    } catch (error) {
      this.#fail(run, error);
    }
  }

  #createSink(run: Run): FeedSink {
    const { sink } = this.#options;
    return {
      tick: (tick) => {
        if (!run.isOver && this.#active.has(tick.source) && this.#mayQuote(tick.brokerSymbol)) sink.tick(tick);
      },
      status: (source, status, detail) => {
        if (run.isOver) return;
        this.#reports.set(source, [source, status, detail]);
        if (this.#active.has(source)) sink.status(source, status, detail);
      },
      // Paused sources pass their symbols on too: those do not change when a source is resumed.
      symbols: async (source, facts) => (run.isOver ? undefined : sink.symbols?.(source, facts)),
      stored: () => sink.stored?.() ?? Promise.resolve(),
      failed: (error) => this.#fail(run, error),
    };
  }

  /** A spelling that names nothing is passed on, to be counted. */
  #mayQuote(brokerSymbol: string): boolean {
    if (this.#quoted === null) return true;
    const instrument = catalogResolver.find(brokerSymbol);
    return instrument === undefined || this.#quoted.has(instrument.symbol);
  }

  #fail(run: Run, error: unknown): void {
    if (run.isOver) return;
    const { sink, monotonic, log } = this.#options;
    this.lastError = describeFault(error);
    for (const name of this.#active) sink.status(name, "disconnected", "the feed failed");
    const feed = this.#feed;
    this.#feed = null;
    run.isOver = true;
    void feed?.stop().catch(() => {});
    const isLost = this.ownClock !== undefined;
    if (monotonic() - this.#startedAtMs >= STABLE_MS) this.#pauseMs = FIRST_PAUSE_MS;
    const pauseMs = this.#pauseMs;
    log.error(
      { err: error, feed: this.setting.name, retryInMs: isLost ? undefined : pauseMs },
      isLost ? "feed failed" : "feed failed; it is started again",
    );
    if (!this.#isWanted || isLost) return;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    this.#retry = setTimeout(() => void this.#attempt(), pauseMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#run.isOver = true;
    const feed = this.#feed;
    this.#feed = null;
    await feed?.stop().catch((error: unknown) => {
      this.#options.log.warn({ err: error, feed: this.setting.name }, "stopping a feed failed");
    });
  }
}
