import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { Releases } from "@/lib/api/stream/releases";
import { SecondBars } from "@/lib/api/stream/second-bars";
import { PLAIN_OPTIONS, type StreamOptions } from "@/lib/api/stream/stream-options";
import { type SetParts, SymbolSet, type Written } from "@/lib/api/stream/symbol-set";
import type { Book } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";
import type { Calendar } from "@/lib/calendar/calendar";

/** What a stream tells of a symbol, or of one of its sources: its quote, and its state as the headers of `/v1/quote` have it. */
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
}

/**
 * Numbers the changes of every symbol in one sequence. A reader needs no queue: its position is the number up to which
 * it has everything, and what it lacks is the newest price of each symbol with a later number. So a slow reader gets
 * the newest prices only, and a reader that comes back continues from its position.
 */
export class PriceChanges {
  readonly bars: SecondBars;
  readonly #releases: Releases;
  readonly #book: StreamBook;
  /** The prices by source, of each symbol; read only while a stream has them. */
  readonly #lines = new Map<string, SymbolPrice[]>();
  readonly #parts: SetParts;
  #lineCount = 0;
  #sourceReaders = 0;
  readonly #prices: ReadonlyMap<string, SymbolPrice>;
  readonly #sets = new Map<string, SymbolSet>();
  /** Positions of another process, or from before a restart, are not known. */
  readonly #epoch = randomBytes(6).toString("hex");
  #last = 0;
  /** Those with bytes that were written. */
  #writtenSets: SymbolSet[] = [];

  constructor({ book, calendar }: ChangeSources, symbols: readonly string[]) {
    this.#book = book;
    this.#prices = new Map(symbols.map((symbol) => [symbol, createPrice(symbol, null)]));
    const next = () => ++this.#last;
    this.bars = new SecondBars(next);
    this.#releases = new Releases(calendar, next);
    this.#parts = {
      findLines: (symbol) => this.#lines.get(symbol) ?? [],
      countLines: () => this.#lineCount,
      bars: this.bars,
      releases: this.#releases,
    };
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
    price.changedAt = ++this.#last;
    if (isPriceChanged && quote !== undefined) price.priceAt = price.changedAt;
    if (isStateChanged) price.stateAt = price.changedAt;
    price.texts.clear();
  }

  /** The set of these canonical symbols, each at most once, with these options. The order counts. */
  select(symbols: readonly string[], options: StreamOptions = PLAIN_OPTIONS): SymbolSet {
    const names = `${symbols.join(",")} ${options.mark}`;
    let set = this.#sets.get(names);
    if (set === undefined) {
      const served = symbols.flatMap((symbol) => this.#prices.get(symbol) ?? []);
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
    return `${this.#epoch}-${at}-${set.mark}`;
  }

  /** Reads a position from outside; null if it is not one of these symbols in this process. */
  parsePosition(set: SymbolSet, text: string): number | null {
    const [epoch, number = "", mark, ...rest] = text.slice(0, MAX_POSITION_LENGTH).split("-");
    if (epoch !== this.#epoch || mark !== set.mark || rest.length > 0 || !/^\d{1,15}$/.test(number)) return null;
    const at = Number(number);
    return at <= this.#last ? at : null;
  }
}

const MAX_SHARED_SETS = 2_000;
const MAX_POSITION_LENGTH = 64;

function createPrice(symbol: string, source: string | null): SymbolPrice {
  return { symbol, source, quote: undefined, priceAt: 0, stateAt: 0, changedAt: 0, texts: new Map() };
}
