import { learnPause, newPace, type Pace, type QuoteState, stateOf } from "@/lib/book/freshness";
import { type ServedQuote, serveQuote, type SourcePrice } from "@/lib/book/quote";
import type { FeedSource } from "@/lib/feeds/feed";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/clock";

/**
 * The newest quote of every symbol from every source. It serves the first source in priority order whose price is
 * not stale, falls over when that one goes quiet and back when it recovers, and never makes an old price look fresh:
 * the only time it knows is the one the broker gave.
 */
export interface Book {
  /** Takes a checked quote: prices in the symbol's digits, times in UTC milliseconds. */
  accept(quote: BookUpdate): void;
  /**
   * The quote to serve; undefined for an unknown symbol and for one that nothing was received for. Whoever asks for
   * many at once reads the market clock once, and passes it.
   */
  served(symbol: string, nowMs?: number): ServedQuote | undefined;
  /** The source whose quote is served; what `served` says without writing the quote. */
  servedSource(symbol: string, nowMs?: number): string | undefined;
  /** The newest quote of one source, however old. */
  servedFrom(symbol: string, source: string): ServedQuote | undefined;
  /** The newest quote of every source that ever quoted the symbol, in priority order. */
  sources(symbol: string): ServedQuote[];
  hasSource(name: string): boolean;
}

export interface BookUpdate {
  readonly source: string;
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
}

interface Slot extends SourcePrice {
  bid: number;
  ask: number;
  timeMs: number;
  readonly rank: number;
  readonly pace: Pace;
}

interface Entry {
  readonly instrument: Instrument;
  /** In priority order. */
  readonly slots: Slot[];
  /** What was decided last, good while nothing arrives and `checkAtMs` has not come. */
  chosen: Slot | undefined;
  chosenState: QuoteState;
  checkAtMs: number;
  /** What was chosen as it is served, made when it is first asked for. */
  served: ServedQuote | undefined;
}

/** A state may also change by the market's timetable, so no decision is kept for longer than this. */
const RECHECK_MS = 1_000;

/**
 * @param sources every source that may quote, most trusted first
 * @param now the market clock, in UTC milliseconds
 */
export function createBook(options: {
  instruments: readonly Instrument[];
  sources: readonly FeedSource[];
  now: Clock;
}): Book {
  const { now } = options;
  const ranks = new Map(options.sources.map((source, rank) => [source.name, { ...source, rank }]));
  const entries = new Map<string, Entry>(
    options.instruments.map((instrument) => [
      instrument.symbol,
      { instrument, slots: [], chosen: undefined, chosenState: "stale", checkAtMs: 0, served: undefined },
    ]),
  );

  function slotOf(entry: Entry, source: string): Slot | undefined {
    for (const slot of entry.slots) if (slot.source === source) return slot;
    return undefined;
  }

  function addSlot(entry: Entry, update: BookUpdate): void {
    const source = ranks.get(update.source);
    if (source === undefined) throw new Error(`The book was not told of a source named ${update.source}`);
    const { bid, ask, timeMs } = update;
    entry.slots.push({ source: source.name, mode: source.mode, rank: source.rank, bid, ask, timeMs, pace: newPace() });
    entry.slots.sort((a, b) => a.rank - b.rank);
  }

  function choose(entry: Entry, nowMs: number): Slot | undefined {
    if (nowMs < entry.checkAtMs) return entry.chosen;
    let newest: Slot | undefined;
    entry.checkAtMs = nowMs + RECHECK_MS;
    for (const slot of entry.slots) {
      const state = stateOf(slot.pace, slot.timeMs, entry.instrument, nowMs);
      keepUntilNextChange(entry, slot, nowMs);
      if (state === "live" || state === "delayed") {
        entry.chosenState = state;
        return (entry.chosen = slot);
      }
      if (newest === undefined || slot.timeMs > newest.timeMs) newest = slot;
    }
    if (newest !== undefined) entry.chosenState = stateOf(newest.pace, newest.timeMs, entry.instrument, nowMs);
    return (entry.chosen = newest);
  }

  function serve(entry: Entry, nowMs: number): ServedQuote | undefined {
    const chosen = choose(entry, nowMs);
    const before = entry.served;
    if (chosen === undefined) return undefined;
    const unchanged =
      before?.source === chosen.source &&
      before.state === entry.chosenState &&
      before.timeMs === chosen.timeMs &&
      before.bid === chosen.bid &&
      before.ask === chosen.ask;
    return unchanged ? before : (entry.served = serveQuote(entry.instrument, chosen, entry.chosenState));
  }

  return {
    accept(update) {
      const entry = entries.get(update.instrument.symbol);
      if (entry === undefined)
        throw new Error(`The book was not told of an instrument named ${update.instrument.symbol}`);
      const slot = slotOf(entry, update.source);
      if (slot === undefined) addSlot(entry, update);
      else {
        learnPause(slot.pace, update.timeMs - slot.timeMs);
        slot.bid = update.bid;
        slot.ask = update.ask;
        slot.timeMs = update.timeMs;
      }
      entry.checkAtMs = 0;
    },

    served(symbol, nowMs = now()) {
      const entry = entries.get(symbol);
      if (entry === undefined) return undefined;
      return serve(entry, nowMs);
    },

    servedSource(symbol, nowMs = now()) {
      const entry = entries.get(symbol);
      return entry && choose(entry, nowMs)?.source;
    },

    servedFrom(symbol, source) {
      const entry = entries.get(symbol);
      const slot = entry && slotOf(entry, source);
      if (!entry || !slot) return undefined;
      return serveQuote(entry.instrument, slot, stateOf(slot.pace, slot.timeMs, entry.instrument, now()));
    },

    sources(symbol) {
      const entry = entries.get(symbol);
      if (entry === undefined) return [];
      const nowMs = now();
      return entry.slots.map((slot) =>
        serveQuote(entry.instrument, slot, stateOf(slot.pace, slot.timeMs, entry.instrument, nowMs)),
      );
    },

    hasSource: (name) => ranks.has(name),
  };
}

/** A price changes state by growing old at two known moments; the decision must not outlive the next of them. */
function keepUntilNextChange(entry: Entry, slot: Slot, nowMs: number): void {
  for (const afterMs of [slot.pace.delayedAfterMs, slot.pace.staleAfterMs]) {
    const atMs = slot.timeMs + afterMs + 1;
    if (atMs > nowMs && atMs < entry.checkAtMs) entry.checkAtMs = atMs;
  }
}
