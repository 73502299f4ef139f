import type { ServedQuote } from "@/lib/book/quote";
import { type BookUpdate, type RankedSource, SymbolQuotes } from "@/lib/book/symbol-quotes";
import type { FeedSource } from "@/lib/feeds/feed";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/timing/clock";

/**
 * The newest quote of every symbol from every source. It serves the first source in priority order whose price is not
 * stale, switches to the next source when that one becomes stale, and back when it recovers. Ages are measured from the
 * broker's time only, so an old price never looks fresh.
 */
export interface Book {
  /** Rises with every change. While it stays, the same moment has the same quotes. */
  readonly revision: number;
  /**
   * Stores a checked quote.
   *
   * @param gapMs the usual pause between the updates of a source that is new here, if another book has learnt it
   */
  accept(update: BookUpdate, gapMs?: number): void;
  /**
   * The quote to serve; undefined for an unknown symbol and for one without a quote. A caller that reads many symbols
   * passes the market time, so that the clock is read once.
   */
  served(symbol: string, nowMs?: number): ServedQuote | undefined;
  /** The source whose quote is served, without writing the quote. */
  servedSource(symbol: string, nowMs?: number): string | undefined;
  /** The newest quote of one source, of any age. */
  servedFrom(symbol: string, source: string): ServedQuote | undefined;
  /** The newest quote of every source that has quoted the symbol, in priority order. */
  sources(symbol: string): ServedQuote[];
  /** The usual pause between the updates of a source, in milliseconds, by which another book can judge it alike. */
  findGapMs(symbol: string, source: string): number | undefined;
  hasSource(name: string): boolean;
  /**
   * Replaces the list of sources, most trusted first. The quotes of removed sources and of those in `dropped` are
   * forgotten at once.
   */
  setSources(sources: readonly FeedSource[], dropped: ReadonlySet<string>): void;
}

export type { BookUpdate } from "@/lib/book/symbol-quotes";

interface BookOptions {
  readonly instruments: readonly Instrument[];
  /** Every source that may quote, most trusted first. */
  readonly sources: readonly FeedSource[];
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
}

export function createBook({ instruments, sources, now }: BookOptions): Book {
  let ranked = rankSources(sources);
  let revision = 0;
  const symbols = new Map(instruments.map((instrument) => [instrument.symbol, new SymbolQuotes(instrument)]));

  return {
    get revision() {
      return revision;
    },
    accept(update, gapMs) {
      revision++;
      const quotes = symbols.get(update.instrument.symbol);
      if (quotes === undefined) throw new Error(`The book has no instrument named ${update.instrument.symbol}`);
      if (quotes.accept(update)) return;
      const source = ranked.get(update.source);
      if (source === undefined) throw new Error(`The book has no source named ${update.source}`);
      quotes.addSource(source, update, gapMs);
    },
    served: (symbol, nowMs = now()) => symbols.get(symbol)?.serve(nowMs),
    servedSource: (symbol, nowMs = now()) => symbols.get(symbol)?.getSource(nowMs),
    servedFrom: (symbol, source) => symbols.get(symbol)?.serveSource(source, now()),
    sources: (symbol) => symbols.get(symbol)?.serveAll(now()) ?? [],
    findGapMs: (symbol, source) => symbols.get(symbol)?.findGapMs(source),
    hasSource: (name) => ranked.has(name),
    setSources(changed, dropped) {
      revision++;
      ranked = rankSources(changed);
      const kept = new Map([...ranked].filter(([name]) => !dropped.has(name)));
      for (const quotes of symbols.values()) quotes.setSources(kept);
    },
  };
}

function rankSources(sources: readonly FeedSource[]): ReadonlyMap<string, RankedSource> {
  return new Map(sources.map(({ name, mode, hours }, rank) => [name, { name, mode, hours, rank }]));
}
