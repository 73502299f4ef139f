import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { Gaps, type GapSource, Releases, SecondBars } from "@/lib/api/stream/other-changes";
import { PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import type { Book } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";
import type { Calendar } from "@/lib/calendar/calendar";
import { SECOND_MS } from "@/lib/time/units";

/** What a stream sends of a symbol, or of one of its sources: its quote, and its state as the headers of `/v1/quote` have it. */
export interface SymbolPrice {
  readonly symbol: string;
  /** The source whose own price it is; null for the served price. */
  readonly source: string | null;
  /** Undefined while there is none: `/v1/quote` answers 404 then. */
  quote: ServedQuote | undefined;
  /** The numbers of the latest change of the price, of the state, and of either. */
  priceAt: number;
  stateAt: number;
  changedAt: number;
  /** Texts of the latest change by their kind, written once for all readers. */
  texts: Map<object, string>;
}

type StreamBook = Pick<Book, "served" | "sources">;

interface ChangeSources {
  readonly book: StreamBook;
  readonly calendar: Pick<Calendar, "query">;
  readonly gaps: GapSource;
}

/**
 * Numbers the changes of every symbol in one sequence. A reader needs no queue: its position is the number up to which
 * it has everything, and what it lacks is the newest price of each symbol with a later number. So a slow reader gets
 * the newest prices only, and a reader that comes back continues from its position.
 */
export class PriceChanges {
  readonly bars: SecondBars;
  readonly #releases: Releases;
  readonly #gaps: Gaps;
  readonly #book: StreamBook;
  /** The prices by source, of each symbol; read only while a stream has them. */
  readonly #lines = new Map<string, SymbolPrice[]>();
  readonly #parts: SetParts;
  #lineCount = 0;
  #sourceReaders = 0;
  readonly #prices = new Map<string, SymbolPrice>();
  /** How often the symbols, or what is known of them, have changed. */
  #listings = 0;
  readonly #sets = new Map<string, SymbolSet>();
  /** Positions of another process, or from before a restart, are not known. */
  readonly #epoch = randomBytes(6).toString("hex");
  #last = 0;
  /** The prices of the latest changes, by their numbers. */
  readonly #latest: (SymbolPrice | null)[] = [];
  #readAtMs = 0;
  /** The sets with bytes that were written. */
  #writtenSets: SymbolSet[] = [];

  constructor({ book, calendar, gaps }: ChangeSources, symbols: readonly string[]) {
    this.#book = book;
    const next = () => this.#number(null);
    this.bars = new SecondBars(next);
    this.#releases = new Releases(calendar, next);
    this.#gaps = new Gaps(gaps, next);
    this.#parts = {
      findLines: (symbol) => this.#lines.get(symbol) ?? [],
      countLines: () => this.#lineCount,
      bars: this.bars,
      releases: this.#releases,
      gaps: this.#gaps,
      listAll: () => [...this.#prices.values()],
      countListings: () => this.#listings,
    };
    this.list(symbols);
  }

  /** Takes symbols that were added to the catalog. To be called after every change of the catalog. */
  list(symbols: Iterable<string>): void {
    for (const symbol of symbols) this.#listOne(symbol);
    this.#listings++;
  }

  #listOne(symbol: string): SymbolPrice {
    const known = this.#prices.get(symbol);
    if (known !== undefined) return known;
    const price = createPrice(symbol, null);
    this.#prices.set(symbol, price);
    return price;
  }

  /** Reads what a stream with these options has, until `removeReader`. */
  addReader({ sources, hasBars, events }: StreamOptions, nowMs: number): void {
    if (sources !== null) this.#sourceReaders++;
    if (hasBars) this.bars.addReader(nowMs);
    if (events !== null) this.#releases.addReader(nowMs);
  }

  removeReader({ sources, hasBars, events }: StreamOptions, nowMs: number): void {
    if (sources !== null) this.#sourceReaders--;
    if (hasBars) this.bars.removeReader(nowMs);
    if (events !== null) this.#releases.removeReader();
  }

  #number(price: SymbolPrice | null): number {
    this.#last++;
    this.#latest[this.#last % LATEST_CHANGES] = price;
    return this.#last;
  }

  /** Counts the changes of a set after `from` that are not sent, because later ones of the same price are. */
  countSkipped(set: SymbolSet, from: number): { readonly changes: number; readonly exact: boolean } {
    const prices = new Set(set.prices);
    const first = Math.max(from, this.#last - LATEST_CHANGES);
    let changes = 0;
    for (let number = first + 1; number <= this.#last; number++) {
      const price = this.#latest[number % LATEST_CHANGES] ?? null;
      if (price !== null && price.changedAt !== number && prices.has(price)) changes++;
    }
    return { changes, exact: first === from };
  }

  /** The number of the latest change. */
  get last(): number {
    return this.#last;
  }

  /** Reads these symbols from the book. Returns whether any has changed. */
  read(nowMs: number, symbols: Iterable<string> = this.#prices.keys()): boolean {
    const before = this.#last;
    for (const symbol of symbols) {
      const price = this.#prices.get(symbol);
      if (price !== undefined) this.#compare(price, this.#book.served(symbol, nowMs));
      if (this.#sourceReaders > 0) this.#readSources(symbol);
    }
    this.bars.closeUntil(nowMs);
    this.#releases.read(nowMs);
    this.#gaps.read(nowMs);
    this.#readAtMs = nowMs;
    return this.#last > before;
  }

  #readSources(symbol: string): void {
    const quotes = new Map(this.#book.sources(symbol).map((quote) => [quote.source, quote]));
    const lines = this.#lines.get(symbol) ?? [];
    const known = new Set(lines.map(({ source }) => source));
    for (const source of quotes.keys()) {
      if (known.has(source)) continue;
      lines.push(createPrice(symbol, source));
      this.#lines.set(symbol, lines);
      this.#lineCount++;
    }
    // A source that was removed has no quote any more.
    for (const line of lines) this.#compare(line, quotes.get(line.source ?? ""));
  }

  #compare(price: SymbolPrice, quote: ServedQuote | undefined): void {
    const before = price.quote;
    if (quote === before) return;
    const isPriceChanged = quote?.json !== before?.json;
    const isStateChanged = quote?.state !== before?.state || quote?.mode !== before?.mode;
    price.quote = quote;
    if (!isPriceChanged && !isStateChanged) return;
    price.changedAt = this.#number(price);
    if (isPriceChanged && quote !== undefined) price.priceAt = price.changedAt;
    if (isStateChanged) price.stateAt = price.changedAt;
    price.texts.clear();
  }

  /**
   * The set of these canonical symbols, each at most once, with these options. The order counts. A group has every symbol
   * that it admits, also those that the catalog gets later.
   */
  select(symbols: readonly string[] | SymbolGroup, options: StreamOptions = PLAIN_OPTIONS): SymbolSet {
    const names = `${"name" in symbols ? `all of ${symbols.name}` : symbols.join(",")} ${options.mark}`;
    let set = this.#sets.get(names);
    if (set === undefined) {
      const served = "name" in symbols ? symbols : symbols.map((symbol) => this.#listOne(symbol));
      set = new SymbolSet(served, options, crc32(names).toString(16), this.#parts);
      // Streams keep the sets that they use; forgetting the others here only ends their sharing.
      if (this.#sets.size >= MAX_SHARED_SETS) this.#sets.clear();
      this.#sets.set(names, set);
    }
    return set;
  }

  /** Keeps bytes for other readers, until `forgetWritten`. */
  keepWritten(set: SymbolSet, kind: object, written: Written): void {
    set.written.set(kind, written);
    this.#writtenSets.push(set);
  }

  forgetWritten(): void {
    for (const { written } of this.#writtenSets) written.clear();
    this.#writtenSets = [];
  }

  /** Writes a position, with which a reader can continue. */
  formatPosition(set: SymbolSet, at: number): string {
    const second = Math.floor((this.#readAtMs - UNSETTLED_MS) / SECOND_MS);
    return `${this.#epoch}-${at}-${set.mark}-${second}`;
  }

  /** Reads a position from outside; null if it is not one of these symbols in this process. */
  parsePosition(set: SymbolSet, text: string): number | null {
    const [epoch, number = "", mark, , ...rest] = text.slice(0, MAX_POSITION_LENGTH).split("-");
    if (epoch !== this.#epoch || mark !== set.mark || rest.length > 0 || !/^\d{1,15}$/.test(number)) return null;
    const at = Number(number);
    return at <= this.#last ? at : null;
  }
}

/** So many changes are counted for a reader that was slow: more than come in the time that a connection may be stuck. */
const LATEST_CHANGES = 65_536;
const MAX_SHARED_SETS = 2_000;
const MAX_POSITION_LENGTH = 64;
/** A copy of the book lacks at most the changes of this time. */
const UNSETTLED_MS = SECOND_MS;

/**
 * The second of a position, in Unix time: everything that was received before it was sent. Null for a position of other
 * symbols or options. The position may be one of another process or server.
 */
export function readSecond({ mark }: Pick<SymbolSet, "mark">, text: string): number | null {
  const [, , whose, second = ""] = text.slice(0, MAX_POSITION_LENGTH).split("-");
  return whose === mark && /^\d{1,10}$/.test(second) ? Number(second) : null;
}

function createPrice(symbol: string, source: string | null): SymbolPrice {
  return { symbol, source, quote: undefined, priceAt: 0, stateAt: 0, changedAt: 0, texts: new Map() };
}

/** All symbols of some kind. The same name means the same symbols. */
export interface SymbolGroup {
  readonly name: string;
  has(symbol: string): boolean;
}

interface Written {
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

/** What a set reads from the changes. */
interface SetParts {
  /** The prices of a symbol by source. Only more are added. */
  readonly findLines: (symbol: string) => readonly SymbolPrice[];
  /** How many of them there are in all. */
  readonly countLines: () => number;
  readonly bars: SecondBars;
  readonly releases: Releases;
  readonly gaps: Gaps;
  /** The served price of every symbol. */
  readonly listAll: () => readonly SymbolPrice[];
  /** A new number after every change of the catalog. */
  readonly countListings: () => number;
}

/** The symbols and options of a stream; streams of the same share one. */
export class SymbolSet {
  readonly options: StreamOptions;
  /** Identifies the symbols and options in a position. */
  readonly mark: string;
  /** Bytes that were written for a reader, by their kind. Other readers at the same position get them too. */
  readonly written = new Map<object, Written>();
  readonly #parts: SetParts;
  #lines: readonly SymbolPrice[] = [];
  #linesOf = -1;
  readonly #group: SymbolGroup | null;
  #served: readonly SymbolPrice[];
  #servedOf = -1;

  constructor(served: readonly SymbolPrice[] | SymbolGroup, options: StreamOptions, mark: string, parts: SetParts) {
    [this.#group, this.#served] = "name" in served ? [served, []] : [null, served];
    this.options = options;
    this.mark = mark;
    this.#parts = parts;
  }

  /** The served price of each symbol. */
  get served(): readonly SymbolPrice[] {
    const group = this.#group;
    const listing = this.#parts.countListings();
    if (group !== null && this.#servedOf !== listing) {
      this.#servedOf = listing;
      this.#linesOf = -1;
      this.#served = this.#parts.listAll().filter(({ symbol }) => group.has(symbol));
    }
    return this.#served;
  }

  /** What is sent: the served price of each symbol, or that of each chosen source. */
  get prices(): readonly SymbolPrice[] {
    const { sources } = this.options;
    const { served } = this;
    if (sources === null) return served;
    const count = this.#parts.countLines();
    if (this.#linesOf !== count) {
      this.#linesOf = count;
      const lines = served.flatMap(({ symbol }) => this.#parts.findLines(symbol));
      this.#lines = sources === "all" ? lines : lines.filter(({ source }) => source !== null && sources.has(source));
    }
    return this.#lines;
  }

  /** The bars with a later number than `from`, as JSON. */
  listBars(from: number): string[] {
    if (!this.options.hasBars) return [];
    const bars = this.served.flatMap(({ symbol }) => this.#parts.bars.listSince(symbol, from));
    return bars.sort((a, b) => a.at - b.at).map(({ json }) => json);
  }

  /** The released figures with a later number than `from`, as JSON. */
  listReleases(from: number): string[] {
    const { events } = this.options;
    return events === null ? [] : this.#parts.releases.listSince(from, events);
  }

  /** The gaps of the sources that ended after a moment, UTC milliseconds, as JSON. */
  listGapsAfter(momentMs: number): string[] {
    const { sources } = this.options;
    return this.#parts.gaps.listEndedAfter(momentMs, sources === "all" ? null : sources);
  }

  /** The gaps of the sources with a later number than `from`, as JSON. */
  listGaps(from: number): string[] {
    const { sources } = this.options;
    return this.#parts.gaps.listSince(from, sources === "all" ? null : sources);
  }
}
