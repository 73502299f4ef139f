import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Book } from "@/lib/book/book";
import type { ServedQuote } from "@/lib/book/quote";

/** What a stream tells of a symbol: its quote, and its state as the headers of `/v1/quote` have it. */
export interface SymbolPrice {
  readonly symbol: string;
  /** Undefined while there is none: `/v1/quote` answers 404 then. */
  quote: ServedQuote | undefined;
  /** The numbers of the latest change of the price, of the state, and of either. */
  priceAt: number;
  stateAt: number;
  changedAt: number;
  /** Texts of the latest change by their kind, written once for all readers. */
  texts: Map<object, string>;
}

/** The symbols of a stream; streams of the same symbols share one. */
export interface SymbolSet {
  readonly prices: readonly SymbolPrice[];
  /** Identifies the symbols in a position. */
  readonly mark: string;
  /** Bytes that were written for a reader, by their kind. Other readers at the same position get them too. */
  readonly written: Map<object, Written>;
}

interface Written {
  readonly from: number;
  readonly to: number;
  readonly bytes: Buffer;
}

/**
 * Numbers the changes of every symbol in one sequence. A reader needs no queue: its position is the number up to which
 * it has everything, and what it lacks is the newest price of each symbol with a later number. So a slow reader gets
 * the newest prices only, and a reader that comes back continues from its position.
 */
export class PriceChanges {
  readonly #book: Pick<Book, "served">;
  readonly #prices: ReadonlyMap<string, SymbolPrice>;
  readonly #sets = new Map<string, SymbolSet>();
  /** Positions of another process, or from before a restart, are not known. */
  readonly #epoch = randomBytes(6).toString("hex");
  #last = 0;
  /** Those with bytes that were written. */
  #writtenSets: SymbolSet[] = [];

  constructor(book: Pick<Book, "served">, symbols: readonly string[]) {
    this.#book = book;
    this.#prices = new Map(symbols.map((symbol) => [symbol, createPrice(symbol)]));
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
    }
    return this.#last > before;
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

  /** The set of these canonical symbols, each at most once. The order counts. */
  select(symbols: readonly string[]): SymbolSet {
    const names = symbols.join(",");
    let set = this.#sets.get(names);
    if (set === undefined) {
      const prices = symbols.flatMap((symbol) => this.#prices.get(symbol) ?? []);
      set = { prices, mark: crc32(names).toString(16), written: new Map() };
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

function createPrice(symbol: string): SymbolPrice {
  return { symbol, quote: undefined, priceAt: 0, stateAt: 0, changedAt: 0, texts: new Map() };
}
