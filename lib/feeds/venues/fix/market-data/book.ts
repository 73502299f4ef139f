/** The values of MDEntryType (269) of quotes. */
export const BID = "0";
export const OFFER = "1";

/** No book of one symbol comes near. */
const MAX_ENTRIES = 5_000;

/** The entries of one symbol. They are few, so lists without objects are the fastest. */
export class Book {
  /** Whether a message of this symbol has come on this connection. */
  hasBegun = false;
  /** Whether changes were applied, so that a lost one would make it wrong. */
  isIncremental = false;
  /** What was published last; NaN if nothing was. */
  bid = NaN;
  offer = NaN;
  readonly #ids: string[] = [];
  readonly #sides: string[] = [];
  readonly #prices: number[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  #find(id: string): number {
    for (let index = 0; index < this.#count; index++) if (this.#ids[index] === id) return index;
    return -1;
  }

  sideOf(id: string): string {
    return this.#sides[this.#find(id)] ?? "";
  }

  /** NaN if there is no such entry. */
  priceOf(id: string): number {
    return this.#prices[this.#find(id)] ?? NaN;
  }

  /** Adds an entry. One whose price is no number, or that is of another kind, is left out. */
  add(id: string, side: string, price: number): void {
    if (Number.isNaN(price) || (side !== BID && side !== OFFER)) return;
    if (this.#count >= MAX_ENTRIES) throw new Error(`a book has more than ${MAX_ENTRIES} entries`);
    this.#ids[this.#count] = id;
    this.#sides[this.#count] = side;
    this.#prices[this.#count] = price;
    this.#count++;
  }

  remove(id: string): void {
    const index = this.#find(id);
    if (index === -1) return;
    const last = --this.#count;
    this.#ids[index] = this.#ids[last] ?? "";
    this.#sides[index] = this.#sides[last] ?? "";
    this.#prices[index] = this.#prices[last] ?? NaN;
  }

  /** The highest bid or the lowest offer; NaN if there is none. */
  best(side: typeof BID | typeof OFFER): number {
    let best = NaN;
    for (let index = 0; index < this.#count; index++) {
      if (this.#sides[index] !== side) continue;
      const price = this.#prices[index] ?? NaN;
      if (Number.isNaN(best) || (side === BID ? price > best : price < best)) best = price;
    }
    return best;
  }
}
