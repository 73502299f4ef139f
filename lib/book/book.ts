import { createPace, getState, learnPause, type Pace, type QuoteState } from "@/lib/book/freshness";
import { type ServedQuote, serveQuote, type SourcePrice } from "@/lib/book/quote";
import { type FeedSource, nameQuote } from "@/lib/feeds/feed";
import type { Instrument, TradingHours } from "@/lib/market/instrument";
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
   * Replaces the list of sources, most trusted first. The quotes of removed sources and those that `dropped` names, by
   * their source or by `nameQuote`, are forgotten at once.
   */
  setSources(sources: readonly FeedSource[], dropped: ReadonlySet<string>): void;
}

interface BookOptions {
  /** Every source that may quote, most trusted first. */
  readonly sources: readonly FeedSource[];
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
}

export function createBook({ sources, now }: BookOptions): Book {
  let ranked = rankSources(sources);
  let revision = 0;
  const symbols = new Map<string, SymbolQuotes>();

  return {
    get revision() {
      return revision;
    },
    accept(update, gapMs) {
      revision++;
      const { instrument } = update;
      let quotes = symbols.get(instrument.symbol);
      if (quotes?.accept(update) === true) return;
      const source = ranked.get(update.source);
      if (source === undefined) throw new Error(`The book has no source named ${update.source}`);
      if (quotes === undefined) symbols.set(instrument.symbol, (quotes = new SymbolQuotes(instrument)));
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
      for (const quotes of symbols.values()) quotes.setSources(kept, dropped);
    },
  };
}

function rankSources(sources: readonly FeedSource[]): ReadonlyMap<string, RankedSource> {
  return new Map(sources.map(({ name, mode, hours }, rank) => [name, { name, mode, hours, rank }]));
}

/** A checked price: in the symbol's digits, with the broker's time in UTC milliseconds. */
export interface BookUpdate {
  readonly source: string;
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
}

/** A source and its rank in the priority order; 0 is the most trusted. */
interface RankedSource extends FeedSource {
  readonly rank: number;
}

interface Slot extends SourcePrice {
  bid: number;
  ask: number;
  timeMs: number;
  readonly rank: number;
  readonly pace: Pace;
  /** When this source quotes the symbol. */
  readonly hours: TradingHours;
}

/** The market may open or close at any time, so a choice is checked again after at most this time. */
const RECHECK_MS = 1_000;

/** The newest quote of one symbol from every source, and the choice of the one to serve. */
class SymbolQuotes {
  readonly #instrument: Instrument;
  /** In priority order. */
  #slots: Slot[] = [];
  /** The latest choice: valid until the next update or `#checkAtMs`. */
  #chosen: Slot | undefined;
  #chosenState: QuoteState = "stale";
  #checkedAtMs = 0;
  #checkAtMs = 0;
  /** The chosen quote as it was last served. */
  #served: ServedQuote | undefined;

  constructor(instrument: Instrument) {
    this.#instrument = instrument;
  }

  /** Stores an update. Returns false if its source has no slot yet: add one with `addSource`. */
  accept({ source, bid, ask, timeMs }: BookUpdate): boolean {
    const slot = this.#findSlot(source);
    if (slot === undefined) return false;
    learnPause(slot.pace, timeMs - slot.timeMs);
    slot.bid = bid;
    slot.ask = ask;
    slot.timeMs = timeMs;
    this.#checkAtMs = 0;
    return true;
  }

  /** @param gapMs the usual pause between the updates of the source, if another book has learnt it */
  addSource({ name, mode, rank, hours }: RankedSource, { bid, ask, timeMs }: BookUpdate, gapMs?: number): void {
    const pace = createPace(gapMs);
    this.#slots.push({
      source: name,
      mode,
      rank,
      bid,
      ask,
      timeMs,
      pace,
      hours: hours ?? this.#instrument.tradingHours,
    });
    this.#slots.sort((a, b) => a.rank - b.rank);
    this.#checkAtMs = 0;
  }

  /** Forgets the dropped quotes and those of all other sources, and gives these sources their ranks and hours. */
  setSources(sources: ReadonlyMap<string, RankedSource>, dropped: ReadonlySet<string>): void {
    const { symbol, tradingHours: usualHours } = this.#instrument;
    this.#slots = this.#slots
      .flatMap((slot) => {
        const source = sources.get(slot.source);
        const isDropped = source === undefined || dropped.has(nameQuote(slot.source, symbol));
        return isDropped ? [] : [{ ...slot, rank: source.rank, hours: source.hours ?? usualHours }];
      })
      .sort((a, b) => a.rank - b.rank);
    this.#chosen = undefined;
    this.#served = undefined;
    this.#checkAtMs = 0;
  }

  /** The source to serve: the first in priority order that is not stale, otherwise the one with the newest quote. */
  getSource(nowMs: number): string | undefined {
    return this.#choose(nowMs)?.source;
  }

  /** The quote to serve: the same object until its price or its state changes. */
  serve(nowMs: number): ServedQuote | undefined {
    const chosen = this.#choose(nowMs);
    const before = this.#served;
    if (chosen === undefined) return undefined;
    const isUnchanged =
      before?.source === chosen.source &&
      before.state === this.#chosenState &&
      before.timeMs === chosen.timeMs &&
      before.bid === chosen.bid &&
      before.ask === chosen.ask;
    return isUnchanged ? before : (this.#served = serveQuote(this.#instrument, chosen, this.#chosenState));
  }

  serveSource(source: string, nowMs: number): ServedQuote | undefined {
    const slot = this.#findSlot(source);
    return slot && this.#serveSlot(slot, nowMs);
  }

  serveAll(nowMs: number): ServedQuote[] {
    return this.#slots.map((slot) => this.#serveSlot(slot, nowMs));
  }

  findGapMs(source: string): number | undefined {
    return this.#findSlot(source)?.pace.gapMs;
  }

  #findSlot(source: string): Slot | undefined {
    for (const slot of this.#slots) if (slot.source === source) return slot;
    return undefined;
  }

  #serveSlot(slot: Slot, nowMs: number): ServedQuote {
    return serveQuote(this.#instrument, slot, getState(slot.pace, slot.timeMs, slot.hours, nowMs));
  }

  #choose(nowMs: number): Slot | undefined {
    if (nowMs < this.#checkAtMs && nowMs >= this.#checkedAtMs) return this.#chosen;
    let newest: Slot | undefined;
    this.#checkedAtMs = nowMs;
    this.#checkAtMs = nowMs + RECHECK_MS;
    for (const slot of this.#slots) {
      const state = getState(slot.pace, slot.timeMs, slot.hours, nowMs);
      this.#limitCheck(slot, nowMs);
      if (state === "live" || state === "delayed") {
        this.#chosenState = state;
        return (this.#chosen = slot);
      }
      if (newest === undefined || slot.timeMs > newest.timeMs) newest = slot;
    }
    if (newest !== undefined) {
      this.#chosenState = getState(newest.pace, newest.timeMs, newest.hours, nowMs);
    }
    return (this.#chosen = newest);
  }

  /** A price becomes delayed, then stale, at two known times. The choice must be checked again at the next of them. */
  #limitCheck({ pace, timeMs }: Slot, nowMs: number): void {
    for (const afterMs of [pace.delayedAfterMs, pace.staleAfterMs]) {
      const atMs = timeMs + afterMs + 1;
      if (atMs > nowMs && atMs < this.#checkAtMs) this.#checkAtMs = atMs;
    }
  }
}
