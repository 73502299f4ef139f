import { type Book, createBook } from "@/lib/book/book";
import type { FeedSource } from "@/lib/feeds/feed";
import { createIntake, type Quote } from "@/lib/feeds/intake";
import type { IntakeCounts } from "@/lib/feeds/intake-counts";
import { openFeed } from "@/lib/feeds/open-feed";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log";
import { MINUTE_MS } from "@/lib/time/units";

/** The feed, its book, and the counts of accepted and refused ticks. */
export interface Prices {
  readonly sources: readonly FeedSource[];
  readonly marketNow: Clock;
  readonly book: Book;
  /** Whether the feed can return prices of the past. */
  readonly hasHistory: boolean;
  /** Calls `listener` with every later quote of any source, after the book has accepted it. */
  onQuote(listener: (quote: Quote) => void): void;
  /** The counts of each source so far. */
  feeds(): IntakeCounts["sources"];
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface Options {
  readonly config: Config;
  readonly log: Logger;
  readonly now: Clock;
}

const REPORT_MS = MINUTE_MS;

/** Opens the feed without starting it. Throws if the settings name a source that the feed does not have. */
export function openPrices({ config, log, now }: Options): Prices {
  const { feed, marketNow } = openFeed(config, { now, instruments, log });
  const sources = sortByPriority(feed.sources, config.sourcePriority);
  const book = createBook({ instruments, sources, now: marketNow });
  let listeners: readonly ((quote: Quote) => void)[] = [];
  const onQuote = (quote: Quote) => {
    book.accept(quote);
    for (const listener of listeners) listener(quote);
  };
  const intake = createIntake({ resolver: catalogResolver, sources, onQuote, now: marketNow, log });
  const report = () => log.info({ feeds: intake.counts().sources }, "ticks accepted and refused so far");
  let reporting: NodeJS.Timeout | undefined;
  return {
    sources,
    marketNow,
    book,
    hasHistory: feed.history !== undefined,
    onQuote: (listener) => void (listeners = [...listeners, listener]),
    feeds: () => intake.counts().sources,
    async start() {
      await feed.start(intake);
      log.info({ feed: feed.name, sources: sources.map(({ name }) => name) }, "feed started");
      reporting = setInterval(report, REPORT_MS).unref();
    },
    async stop() {
      clearInterval(reporting);
      await feed.stop();
      report();
    },
  };
}

function sortByPriority(sources: readonly FeedSource[], priority: readonly string[]): FeedSource[] {
  for (const name of priority) {
    if (sources.every((source) => source.name !== name)) {
      throw new Error(`SPOTLINE_SOURCE_PRIORITY names ${name}, which the feed does not have.`);
    }
  }
  const rank = ({ name }: FeedSource) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  return [...sources].sort((a, b) => rank(a) - rank(b));
}
