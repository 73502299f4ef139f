import type { StreamOptions } from "@/lib/api/stream/stream-options";
import { createTickCursor, leap, type TickCursor, TickQueue } from "@/lib/api/stream/tick-queue";
import { createPace, getState, type QuoteState, toUsualPause } from "@/lib/book/freshness";
import type { FeedSource } from "@/lib/feeds/feed";
import type { SourceChanges } from "@/lib/history/as-of/book-block";
import type { PastSeconds } from "@/lib/history/as-of/past-changes";
import type { DataMode } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** The recorded price of one source of a symbol, and what of it never changes. */
export interface PastSlot {
  readonly instrument: Instrument;
  readonly source: string;
  readonly mode: DataMode;
  readonly hours: Instrument["tradingHours"];
  readonly rank: number;
  /** Whether the price is that of a symbol that was merged into this one. */
  isMerged: boolean;
  /** In points of 10^-digits; an ask of 0 is no price. */
  bid: number;
  ask: number;
  digits: number;
  timeMs: number;
  staleAfterMs: number;
  /** The second in which it was received. */
  second: number;
  /** The second of its latest tick. Of this second and those before, the price is not read from the log of seconds. */
  tickSecond: number;
  /** The recorded changes of its seconds. */
  cursor: Cursor | null;
  /** What a format keeps of it. */
  parts: unknown;
}

/** What a stream of the past sends of a symbol, or of one of its sources, up to a second. */
export interface PastLine {
  readonly symbol: string;
  /** The source whose own price it is; null for the served price. */
  readonly source: string | null;
  /** The source whose price is sent; null while there is none. */
  slot: PastSlot | null;
  bid: number;
  ask: number;
  digits: number;
  timeMs: number;
  state: QuoteState;
  /** What has changed in the last second. */
  isPriceChanged: boolean;
  isStateChanged: boolean;
}

/** The bar of a second, of the served bids. */
export interface PastBar {
  readonly symbol: string;
  /** Unix time. */
  readonly second: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

interface PastSymbol {
  readonly instrument: Instrument;
  /** Its place in the order of the symbols. */
  readonly rank: number;
  /** In priority order. */
  slots: PastSlot[];
  readonly served: PastLine;
  /** One of each slot, in a stream of sources. */
  readonly lines: PastLine[];
  /** When a state may change by time alone. */
  checkAtMs: number;
  isTouched: boolean;
}

/** A column of changes, how far it was read, and the price that it changes. */
interface Cursor {
  readonly changes: SourceChanges;
  readonly slot: PastSlot;
  readonly symbol: PastSymbol;
  at: number;
  /** The second of the next change; Infinity after the last. */
  next: number;
}

interface SlotTicks extends TickCursor {
  readonly slot: PastSlot;
  readonly symbol: PastSymbol;
}

interface Options {
  /** The symbols in their order. */
  readonly symbols: readonly string[];
  readonly chosen: Pick<StreamOptions, "sources" | "hasBars">;
  /** The sources now, most trusted first: how they were configured then is not recorded. */
  readonly sources: readonly FeedSource[];
}

/** Younger prices are live, whatever the pace of their source. */
const SURELY_LIVE_MS = 5_000;

/**
 * The book of a range of the past, second by second, or tick by tick: it serves the source that the live book served, in the
 * state that it had at the end of each second, or millisecond. A book of its own, because the paces of sources are recorded
 * and not learnt.
 */
export class PastPrices {
  /** What changed in the last second, in the order of the symbols. */
  readonly changed: PastLine[] = [];
  readonly #options: Options;
  readonly #symbols = new Map<string, PastSymbol>();
  readonly #ranks: ReadonlyMap<string, number>;
  #touched: PastSymbol[] = [];
  /** The symbols that were compared in the last second. */
  #passed: PastSymbol[] = [];
  #cursors: Cursor[] = [];
  #tickCursors: SlotTicks[] = [];
  readonly #queue = new TickQueue<SlotTicks>();
  /** The bars of the second, of its ticks. */
  readonly #bars = new Map<PastSymbol, PastBar>();
  #checkAtMs = -Infinity;

  constructor(options: Options) {
    this.#options = options;
    this.#ranks = new Map(options.sources.map(({ name }, rank) => [name, rank]));
    for (const symbol of options.symbols) {
      const instrument = instrumentBySymbol.get(symbol);
      if (instrument === undefined) continue;
      const [served, rank] = [createLine(symbol, null), this.#symbols.size];
      const none = { slots: [], lines: [], checkAtMs: Infinity, isTouched: false };
      this.#symbols.set(symbol, { instrument, rank, served, ...none });
    }
  }

  /** Every line that is sent, in the order of the symbols. */
  listLines(): PastLine[] {
    return [...this.#symbols.values()].flatMap((symbol) => this.#listLinesOf(symbol));
  }

  find(symbol: string, source: string | null): PastLine | undefined {
    const found = this.#symbols.get(symbol);
    return source === null ? found?.served : found?.lines.find((line) => line.source === source);
  }

  /** The bar of each symbol that has a new served price in the last second: of its ticks, or of its last price. */
  takeBars(second: number): PastBar[] {
    const bars = [...this.#bars.values()];
    for (const symbol of this.#passed) {
      if (this.#bars.has(symbol)) continue;
      const slot = this.#choose(symbol, (second + 1) * SECOND_MS)?.slot;
      if (slot?.second === second && slot.tickSecond !== second) bars.push(createBar(slot));
    }
    this.#bars.clear();
    return bars;
  }

  #listLinesOf({ served, lines }: PastSymbol): readonly PastLine[] {
    return this.#options.chosen.sources === null ? [served] : lines;
  }

  /** Takes recorded seconds, which follow those before. The book at their beginning replaces this one if it is whole. */
  take({ since, isWhole, groups, unnamedMode, ticks = [] }: PastSeconds): void {
    const known = new Set<PastSlot>();
    const cursors: Cursor[] = [];
    for (const { slots } of this.#symbols.values()) for (const slot of slots) slot.cursor = null;
    for (const changes of groups) {
      const symbol = this.#symbols.get(changes.symbol) ?? this.#findMerged(changes.symbol);
      if (symbol === undefined) continue;
      const slot = this.#getSlot(symbol, changes.source, unnamedMode);
      const cursor = { changes, slot, symbol, at: 0, next: changes.seconds[0] ?? Infinity };
      const isOfMerged = changes.symbol !== symbol.instrument.symbol;
      if (isWhole) this.#readStart(cursor, since, known, isOfMerged);
      while (cursor.next < since) advance(cursor);
      // A source's own price comes before that of a symbol that was merged into this one.
      if (isOfMerged && !slot.isMerged && slot.ask !== 0) continue;
      if (isOfMerged) slot.isMerged = true;
      slot.cursor = cursor;
      cursors.push(cursor);
    }
    this.#cursors = cursors;
    this.#tickCursors = ticks.flatMap(({ symbol: name, source, tape }): SlotTicks[] => {
      const symbol = this.#symbols.get(name);
      if (symbol === undefined) return [];
      return [{ ...createTickCursor(tape), symbol, slot: this.#getSlot(symbol, source, null) }];
    });
    if (!isWhole) return;
    for (const symbol of this.#symbols.values()) {
      for (const slot of symbol.slots) {
        if (slot.ask === 0 || known.has(slot)) continue;
        slot.ask = 0;
        this.#touch(symbol);
      }
    }
  }

  /** Reads the price of a source at the beginning of a whole book. */
  #readStart(cursor: Cursor, since: number, known: Set<PastSlot>, isOfMerged: boolean): void {
    const { slot } = cursor;
    if (cursor.next >= since || (isOfMerged && known.has(slot))) return;
    if (!isOfMerged) slot.isMerged = false;
    while (cursor.next < since) this.#apply(cursor);
    if (slot.ask !== 0) known.add(slot);
  }

  #findMerged(symbol: string): PastSymbol | undefined {
    if (instrumentBySymbol.has(symbol)) return undefined;
    const into = catalogResolver.resolve(symbol);
    return into.kind === "found" && into.rule === "alias" ? this.#symbols.get(into.instrument.symbol) : undefined;
  }

  #getSlot(symbol: PastSymbol, source: string, unnamedMode: DataMode | null): PastSlot {
    const known = symbol.slots.find((slot) => slot.source === source);
    if (known !== undefined && (unnamedMode === null || known.mode === unnamedMode)) return known;
    const configured = this.#options.sources.find(({ name }) => name === source);
    const slot: PastSlot = {
      ...{ instrument: symbol.instrument, source, mode: unnamedMode ?? configured?.mode ?? "live" },
      ...{ hours: configured?.hours ?? symbol.instrument.tradingHours, rank: this.#ranks.get(source) ?? Infinity },
      ...{ isMerged: false, bid: 0, ask: 0, digits: 0, timeMs: 0, staleAfterMs: 0, second: 0, parts: null },
      ...{ tickSecond: -Infinity, cursor: null },
    };
    symbol.slots = [...symbol.slots.filter((each) => each !== known), slot].sort(compareRank);
    return slot;
  }

  #apply(cursor: Cursor): void {
    const { changes, slot, at } = cursor;
    if (slot.tickSecond >= cursor.next) return this.#applyToTick(cursor);
    slot.bid = changes.bids[at] as number;
    slot.ask = changes.asks[at] as number;
    slot.digits = changes.digits;
    slot.timeMs = changes.timesMs[at] as number;
    slot.staleAfterMs = changes.staleAftersMs[at] as number;
    slot.second = cursor.next;
    advance(cursor);
    this.#touch(cursor.symbol);
  }

  /** The price is that of a tick. Of the second, it has how often there is one, and whether it was dropped at last. */
  #applyToTick(cursor: Cursor): void {
    const { changes, slot, at, next } = cursor;
    advance(cursor);
    const isDropped = changes.asks[at] === 0;
    if (isDropped && slot.tickSecond === next && cursor.next > next) slot.ask = 0;
    if (!isDropped) slot.staleAfterMs = changes.staleAftersMs[at] as number;
    this.#touch(cursor.symbol);
  }

  #touch(symbol: PastSymbol): void {
    if (symbol.isTouched) return;
    symbol.isTouched = true;
    this.#touched.push(symbol);
  }

  /**
   * Applies the changes of a second and finds what of the prices and states is different at its end: `changed` has it then.
   *
   * @param second Unix time
   */
  pass(second: number): void {
    for (const cursor of this.#tickCursors) this.#leap(cursor, (second + 1) * SECOND_MS);
    for (const cursor of this.#cursors) while (cursor.next <= second) this.#apply(cursor);
    this.changed.length = 0;
    const nowMs = (second + 1) * SECOND_MS;
    if (nowMs >= this.#checkAtMs) this.#touchDue(nowMs);
    this.#compareTouched(nowMs);
    [this.#passed, this.#touched] = [this.#touched, this.#passed];
    this.#touched.length = 0;
  }

  /** Applies the last tick before a moment, of those that are not in the queue. */
  #leap(cursor: SlotTicks, untilMs: number): void {
    if (cursor.nextMs >= untilMs) return;
    leap(cursor, untilMs);
    this.#applyTick(cursor, cursor.at - 1);
    this.#touch(cursor.symbol);
  }

  #applyTick({ tape, slot }: SlotTicks, at: number): void {
    slot.bid = tape.bids[at] as number;
    slot.ask = tape.asks[at] as number;
    slot.digits = tape.digits;
    slot.timeMs = tape.timesMs[at] as number;
    slot.second = slot.tickSecond = Math.floor((tape.receivedMs[at] as number) / SECOND_MS);
    const { cursor } = slot;
    if (cursor?.next === slot.second) slot.staleAfterMs = cursor.changes.staleAftersMs[cursor.at] as number;
  }

  /** Puts the ticks of a second in the order of their receipt, for `passUntil`. */
  beginSecond(second: number): void {
    this.#bars.clear();
    this.#queue.fill(this.#tickCursors, second);
  }

  /** In which millisecond something may change: that of the next tick of the second, or before a state is another one. */
  get nextMs(): number {
    return Math.min(this.#queue.nextMs, this.#checkAtMs - 1);
  }

  /**
   * Passes all ticks of the second that were received before a moment, and finds the states of that moment.
   *
   * @param onChange called after each tick with what it changed, and at last with states: in their order
   */
  passUntil(untilMs: number, onChange: (line: PastLine) => void): void {
    const queue = this.#queue;
    if (this.changed.length > 0) this.changed.length = 0;
    while (queue.nextMs < untilMs) {
      const nowMs = queue.nextMs + 1;
      const cursor = queue.cursor;
      this.#applyTick(cursor, queue.at);
      queue.advance();
      this.#compare(cursor.symbol, nowMs);
      this.#checkAtMs = Math.min(this.#checkAtMs, cursor.symbol.checkAtMs);
      this.#finishTick(cursor, nowMs);
      this.#report(onChange);
    }
    if (untilMs < this.#checkAtMs) return;
    this.#touchDue(untilMs);
    this.#compareTouched(untilMs);
    this.#touched.length = 0;
    this.#report(onChange);
  }

  #report(onChange: (line: PastLine) => void): void {
    const { changed } = this;
    for (let i = 0; i < changed.length; i++) onChange(changed[i] as PastLine);
    // Setting the length gives the memory up, and this is done for each tick.
    while (changed.length > 0) changed.pop();
  }

  /** Every tick is sent, also one that is equal to the one before. */
  #finishTick({ symbol, slot }: SlotTicks, nowMs: number): void {
    const { sources, hasBars } = this.#options.chosen;
    const line = sources === null ? symbol.served : symbol.lines.find(({ source }) => source === slot.source);
    if (line?.slot === slot && !line.isPriceChanged) {
      if (!line.isStateChanged) this.changed.push(line);
      line.isPriceChanged = true;
    }
    if (!hasBars) return;
    const served = sources === null ? symbol.served.slot : this.#choose(symbol, nowMs)?.slot;
    if (served !== slot) return;
    const bar = this.#bars.get(symbol);
    if (bar === undefined) this.#bars.set(symbol, createBar(slot));
    else addToBar(bar, slot);
  }

  #touchDue(nowMs: number): void {
    this.#checkAtMs = Infinity;
    for (const symbol of this.#symbols.values()) {
      if (symbol.checkAtMs <= nowMs) this.#touch(symbol);
      else this.#checkAtMs = Math.min(this.#checkAtMs, symbol.checkAtMs);
    }
  }

  #compareTouched(nowMs: number): void {
    // The same order for all, however what they read was stored.
    this.#touched.sort((a, b) => a.rank - b.rank);
    for (const symbol of this.#touched) {
      symbol.isTouched = false;
      this.#compare(symbol, nowMs);
      this.#checkAtMs = Math.min(this.#checkAtMs, symbol.checkAtMs);
    }
  }

  #compare(symbol: PastSymbol, nowMs: number): void {
    symbol.checkAtMs = Infinity;
    const { sources } = this.#options.chosen;
    if (sources === null) return this.#serve(symbol, nowMs);
    for (const slot of symbol.slots) {
      if (sources !== "all" && !sources.has(slot.source)) continue;
      const line = symbol.lines.find((each) => each.source === slot.source);
      if (slot.ask === 0) {
        if (line !== undefined) this.#update(line, null, "stale");
        continue;
      }
      const added = line ?? createLine(symbol.instrument.symbol, slot.source);
      if (line === undefined) symbol.lines.push(added);
      this.#update(added, slot, findState(symbol, slot, nowMs));
    }
  }

  #serve(symbol: PastSymbol, nowMs: number): void {
    const chosen = this.#choose(symbol, nowMs);
    this.#update(symbol.served, chosen?.slot ?? null, chosen?.state ?? "stale");
  }

  /** The first source that is not stale, else the one with the newest price, as the live book chooses. */
  #choose(symbol: PastSymbol, nowMs: number): { readonly slot: PastSlot; readonly state: QuoteState } | null {
    let newest: PastSlot | null = null;
    for (const slot of symbol.slots) {
      if (slot.ask === 0) continue;
      const state = findState(symbol, slot, nowMs);
      if (state === "live" || state === "delayed") return { slot, state };
      if (newest === null || slot.timeMs > newest.timeMs) newest = slot;
    }
    return newest === null ? null : { slot: newest, state: findState(symbol, newest, nowMs) };
  }

  #update(line: PastLine, slot: PastSlot | null, state: QuoteState): void {
    const before = line.slot;
    if (slot === null) {
      if (before === null) return;
      line.slot = null;
      line.isPriceChanged = false;
      line.isStateChanged = true;
      this.changed.push(line);
      return;
    }
    const { bid, ask, digits, timeMs } = slot;
    const isSame =
      before?.source === slot.source &&
      line.timeMs === timeMs &&
      (line.digits === digits
        ? line.bid === bid && line.ask === ask
        : toPrice(line.bid, line.digits) === toPrice(bid, digits) &&
          toPrice(line.ask, line.digits) === toPrice(ask, digits));
    line.isPriceChanged = !isSame;
    line.isStateChanged = before === null || line.state !== state || before.mode !== slot.mode;
    line.slot = slot;
    line.bid = bid;
    line.ask = ask;
    line.digits = digits;
    line.timeMs = timeMs;
    line.state = state;
    if (line.isPriceChanged || line.isStateChanged) this.changed.push(line);
  }
}

function createLine(symbol: string, source: string | null): PastLine {
  return {
    ...{ symbol, source, slot: null, bid: 0, ask: 0, digits: 0, timeMs: 0, state: "stale" as const },
    ...{ isPriceChanged: false, isStateChanged: false },
  };
}

function createBar({ instrument, bid, digits, second }: PastSlot): PastBar {
  const price = toPrice(bid, digits);
  return { symbol: instrument.symbol, second, open: price, high: price, low: price, close: price, volume: 1 };
}

function addToBar(bar: PastBar, { bid, digits }: PastSlot): void {
  const price = toPrice(bid, digits);
  bar.high = Math.max(bar.high, price);
  bar.low = Math.min(bar.low, price);
  bar.close = price;
  bar.volume++;
}

function advance(cursor: Cursor): void {
  cursor.at++;
  cursor.next = cursor.changes.seconds[cursor.at] ?? Infinity;
}

function compareRank(a: PastSlot, b: PastSlot): number {
  return a.rank === b.rank ? (a.source < b.source ? -1 : 1) : a.rank - b.rank;
}

/** The state of a price, and when it may be another one: then its symbol is checked again. */
function findState(symbol: PastSymbol, slot: PastSlot, nowMs: number): QuoteState {
  const { timeMs, hours, staleAfterMs } = slot;
  const ageMs = nowMs - timeMs;
  if (ageMs >= -SURELY_LIVE_MS && ageMs <= SURELY_LIVE_MS) {
    symbol.checkAtMs = Math.min(symbol.checkAtMs, timeMs + SURELY_LIVE_MS + 1);
    return "live";
  }
  const pace = createPace(toUsualPause(staleAfterMs));
  // Markets open and close at whole minutes.
  let checkAtMs = (Math.floor(nowMs / MINUTE_MS) + 1) * MINUTE_MS;
  for (const afterMs of [-SURELY_LIVE_MS - 1, pace.delayedAfterMs, pace.staleAfterMs]) {
    const atMs = timeMs + Math.floor(afterMs) + 1;
    if (atMs > nowMs) checkAtMs = Math.min(checkAtMs, atMs);
  }
  symbol.checkAtMs = Math.min(symbol.checkAtMs, checkAtMs);
  return getState(pace, timeMs, hours, nowMs);
}
