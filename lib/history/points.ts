import { getBuiltInDigits } from "@/lib/market/catalog";
import { alignPoints } from "@/lib/market/price";

/**
 * Prices in whole points (price × 10^digits), in memory and in rows of the database. Sums and comparisons of points of
 * the same digits are exact. Rows of different digits are aligned to the finest, so no digit is lost.
 */

/** Points of the same digits: in 32 bits each where these suffice. */
export type Points = Int32Array | Float64Array;

/** The greatest number of points that a column of 32 bits holds. */
export const MOST_NARROW = 2_147_483_647;

/** Whether points fit in 32 bits. */
export function isNarrow(points: number): boolean {
  return points <= MOST_NARROW;
}

export function createPoints(count: number, wide: boolean): Points {
  return wide ? new Float64Array(count) : new Int32Array(count);
}

/** The same points of 10^-to instead of 10^-from, in an array of their own. `to` is not less. */
export function raisePoints(points: Points, from: number, to: number): Points {
  if (from === to) return points.slice();
  const raised = new Float64Array(points.length);
  let isWide = false;
  for (let i = 0; i < points.length; i++) {
    const each = (raised[i] = alignPoints(points[i] as number, from, to));
    isWide ||= !isNarrow(each);
  }
  return isWide ? raised : Int32Array.from(raised);
}

/** The least digits, up to `digits`, of which all these are whole points. */
export function findLeastDigits(digits: number, ...lists: readonly Iterable<number>[]): number {
  let dropped = digits;
  for (const points of lists) {
    for (const each of points) {
      while (dropped > 0 && each % 10 ** dropped !== 0) dropped--;
      if (dropped === 0) return digits;
    }
  }
  return digits - dropped;
}

/** The digits that a row says, given those of its points: null for those of the built-in instrument. */
export function toStoredDigits(symbol: string, digits: number): number | null {
  return digits === getBuiltInDigits(symbol) ? null : digits;
}

/** The digits of a row's points, given those that it says. Throws an Error if that is unknown. */
export function fromStoredDigits(symbol: string, digits: number | null): number {
  const found = digits ?? getBuiltInDigits(symbol);
  if (found === undefined) throw new Error(`The digits of stored prices of ${symbol} are unknown`);
  return found;
}

/** The prices of a row as its columns have them. */
interface StoredPrices {
  readonly digits: number | null;
  readonly prices: readonly number[];
  /** All prices as an array in SQL, if one of them does not fit in its column. */
  readonly wide: string | null;
}

export function toStoredPrices(symbol: string, digits: number, prices: readonly number[]): StoredPrices {
  if (prices.every(isNarrow)) return { digits: toStoredDigits(symbol, digits), prices, wide: null };
  const least = findLeastDigits(digits, prices);
  const reduced = prices.map((each) => alignPoints(each, digits, least));
  if (reduced.every(isNarrow)) return { digits: toStoredDigits(symbol, least), prices: reduced, wide: null };
  return { digits, prices: prices.map(() => 0), wide: `{${prices.join()}}` };
}

/** The columns of the prices of some rows, for `unnest`; `wide` as text that is cast to BIGINT[]. */
export function toPriceColumns(rows: readonly StoredPrices[]) {
  const width = rows[0]?.prices.length ?? 0;
  return {
    prices: Array.from({ length: width }, (_, at) => rows.map(({ prices }) => prices[at])),
    digits: rows.map(({ digits }) => digits),
    wide: rows.map(({ wide }) => wide),
  };
}

/** What is added to the digits of wide prices when rows are packed. */
const WIDE = 100;
const UNSAID = -1;

/** SQL that packs the prices of a row into bytes for `PackedRows`, with the names of its columns in their order. */
export function packPrices(columns: readonly string[]): string {
  const narrow = columns.map((column) => ` || int4send(${column})`).join("");
  const wide = columns.map((_, at) => ` || int8send(wide[${at + 1}])`).join("");
  return `CASE WHEN wide IS NULL THEN int2send(coalesce(digits, ${UNSAID})::int2)${narrow}
               ELSE int2send((digits + ${WIDE})::int2)${wide} END`;
}

const HIGH = 2 ** 32;

/** Reads rows of whole numbers and prices that the database has packed. */
export class PackedRows {
  /** A view reads numbers many times as fast as a buffer. */
  readonly #view: DataView;
  readonly #symbol: string;
  #at = 0;
  #tag = NaN;
  #digits = 0;

  constructor(symbol: string, bytes: Buffer) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#symbol = symbol;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#view.byteLength;
  }

  readInteger(): number {
    const value = this.#view.getInt32(this.#at);
    this.#at += 4;
    return value;
  }

  /** Reads the digits of the next prices. Those of most rows are the same. */
  readDigits(): number {
    const tag = this.#view.getInt16(this.#at);
    this.#at += 2;
    if (tag === this.#tag) return this.#digits;
    this.#tag = tag;
    return (this.#digits = fromStoredDigits(this.#symbol, tag === UNSAID ? null : tag % WIDE));
  }

  readPrice(): number {
    if (!(this.#tag >= WIDE)) return this.readInteger();
    const price = this.#view.getInt32(this.#at) * HIGH + this.#view.getUint32(this.#at + 4);
    this.#at += 8;
    return price;
  }
}
