import { type Book, createBook } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import type { IntakeCounts } from "@/lib/feeds/intake-counts";
import { openFeed } from "@/lib/feeds/open-feed";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/symbols/resolver";
import { type Clock, systemClock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log";
import { MINUTE_MS } from "@/lib/time/units";

/** The prices of a process: where they come from, and the newest of each. */
export interface Prices {
  readonly sources: readonly FeedSource[];
  readonly marketNow: Clock;
  readonly book: Book;
  /** Has every price told that the book takes from now on, of whatever source; right after the book took it. */
  onQuote(listener: (quote: Quote) => void): void;
  /** What has become of each source's ticks so far. */
  feeds(): IntakeCounts["sources"];
  stop(): Promise<void>;
}

const FEED_REPORT_MS = MINUTE_MS;

/** The feed, not yet started, and the book it fills. Throws where the configuration names a source the feed does not have. */
export function openPrices(
  config: Config,
  log: Logger,
): Prices & { start(): Promise<void>; readonly canTellPast: boolean } {
  const { feed, marketNow } = openFeed(config, { now: systemClock, instruments, log });
  const sources = byPriority(feed.sources, config.sourcePriority);
  const book = createBook({ instruments, sources, now: marketNow });
  let listeners: readonly ((quote: Quote) => void)[] = [];
  const onQuote = (quote: Quote) => {
    book.accept(quote);
    for (const listener of listeners) listener(quote);
  };
  const intake = createIntake({ resolver: createResolver(instruments), sources, onQuote, now: marketNow, log });
  const report = () => log.info({ feeds: intake.counts().sources }, "ticks accepted and refused so far");
  let reporting: NodeJS.Timeout | undefined;
  return {
    sources,
    marketNow,
    book,
    onQuote: (listener) => void (listeners = [...listeners, listener]),
    feeds: () => intake.counts().sources,
    canTellPast: feed.history !== undefined,
    async start() {
      await feed.start(intake);
      log.info({ feed: feed.name, sources: sources.map(({ name }) => name) }, "feed started");
      reporting = setInterval(report, FEED_REPORT_MS).unref();
    },
    async stop() {
      clearInterval(reporting);
      await feed.stop();
      report();
    },
  };
}

function byPriority(sources: readonly FeedSource[], priority: readonly string[]): FeedSource[] {
  for (const name of priority) {
    if (sources.every((source) => source.name !== name)) {
      throw new Error(`SPOTLINE_SOURCE_PRIORITY names ${name}, which the feed does not have.`);
    }
  }
  const rank = ({ name }: FeedSource) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  return [...sources].sort((a, b) => rank(a) - rank(b));
}
