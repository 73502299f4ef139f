import type { PriceFile } from "@/lib/feeds/files/price-rows";
import { SHARE_SPLITS, YEARLY_LEVELS } from "@/lib/feeds/files/yearly-levels";
import { findUsualLevel } from "@/lib/feeds/simulated/assets";
import type { Category, Instrument } from "@/lib/market/instrument";
import { DAY_MS } from "@/lib/time/units";

/** Prices of the past against the level of their symbol at that time: a slipped decimal point, points, another symbol's rows. */

export interface Band {
  readonly low: number;
  readonly high: number;
}

/** A price that is stored. The time is UTC milliseconds. */
export interface KnownPrice {
  readonly timeMs: number;
  readonly price: number;
}

interface Class {
  /** How far brokers' prices lie outside of the approximate range of a year, as a factor. */
  readonly margin: number;
  /** How far prices have moved in a year, beyond the range of the year beside it. */
  readonly year: number;
  /** How far prices have moved in a few days. */
  readonly days: number;
}

/** The franc fell out of its range in minutes, and the lira lost half of its value in weeks; no other major came near. */
const MAJOR: Class = { margin: 1.05, year: 1.3, days: 1.35 };
const CLASSES: Readonly<Record<Category, Class>> = {
  forex: { margin: 1.15, year: 1.6, days: 1.6 },
  metals: { margin: 1.1, year: 1.8, days: 1.5 },
  commodities: { margin: 1.3, year: 2, days: 3 },
  indices: { margin: 1.15, year: 1.6, days: 1.5 },
  crypto: { margin: 1.25, year: 4, days: 3 },
  stocks: { margin: 1, year: 3.2, days: 2.5 },
};
const MAJORS = new Set(["EUR", "GBP", "AUD", "NZD", "JPY", "CHF", "CAD", "USD"]);
/** The year after which nothing is known. The simulation's levels are those of its end. */
const LAST_YEAR = 2025;
/** Years without a range, beside one with it, of which anything can be said. */
const MOST_UNKNOWN_YEARS = 3;
/** How high a share may have been above its last level, but for splits, and how deep below it. */
const SHARE_HIGH = 1.8;
const MOST_SHARE_HIGH = 4;
const MOST_SHARE_LOW = 300;

const ranges: ReadonlyMap<string, { readonly from: number; readonly bands: readonly Band[] }> = new Map(
  readLines(YEARLY_LEVELS).map(([symbol = "", from, ...years]) => {
    const bands = years.map((year) => {
      const [low = NaN, high = NaN] = year.split("-").map(Number);
      return { low, high };
    });
    return [symbol, { from: Number(from), bands }];
  }),
);
const splits = readLines(SHARE_SPLITS).map(
  ([symbol = "", year, shares]) => [symbol, Number(year), Number(shares)] as const,
);

function readLines(csv: string): string[][] {
  return csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));
}

/** How near a stored price must be to tell the level. */
const NEAR_MS = 10 * DAY_MS;

/** The plausible prices of an instrument at any time. */
export class PriceLevels {
  readonly #instrument: Instrument;
  readonly #class: Class;
  readonly #near: KnownPrice | null;
  /** The band of the last year that was looked up, and when that year begins and ends. */
  #band: Band | null = null;
  #fromMs = NaN;
  #untilMs = NaN;

  /** @param near a stored price of the time in question; null if there is none */
  constructor(instrument: Instrument, near: KnownPrice | null) {
    const { category, base, quote } = instrument;
    this.#instrument = instrument;
    this.#near = near;
    this.#class = category === "forex" && MAJORS.has(base ?? "") && MAJORS.has(quote ?? "") ? MAJOR : CLASSES[category];
  }

  /** Null if nothing is known of that time. A price that is stored near it comes before what is known of the year. */
  find(timeMs: number): Band | null {
    const near = this.#near;
    if (near !== null && Math.abs(timeMs - near.timeMs) <= NEAR_MS)
      return widen({ low: near.price, high: near.price }, this.#class.days);
    if (!(timeMs >= this.#fromMs && timeMs < this.#untilMs)) {
      const year = new Date(timeMs).getUTCFullYear();
      this.#fromMs = Date.UTC(year, 0);
      this.#untilMs = Date.UTC(year + 1, 0);
      this.#band = this.#findYear(year);
    }
    return this.#band;
  }

  /** Whether a price is far from all that the instrument has been at that time. */
  isOff(price: number, timeMs: number): boolean {
    const band = this.find(timeMs);
    return band !== null && !(price >= band.low && price <= band.high);
  }

  /** What the level is known from, as the end of a sentence. */
  describe(timeMs: number): string {
    const near = this.#near;
    const { symbol } = this.#instrument;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    if (near !== null && Math.abs(timeMs - near.timeMs) <= NEAR_MS)
      return `the stored prices of ${symbol} are near ${round(near.price)} on ${day(near.timeMs)}`;
    const { low, high } = this.find(timeMs) ?? { low: NaN, high: NaN };
    return `${symbol} was between ${round(low)} and ${round(high)} in ${day(timeMs).slice(0, 4)} (approximate yearly ranges)`;
  }

  #findYear(year: number): Band | null {
    const { base, quote, symbol, category } = this.#instrument;
    if (category === "stocks") return this.#findShare(year);
    const own = this.#findRange(symbol, year);
    if (own !== null) return widen(own, this.#class.margin);
    const [above, below] = [this.#findInDollars(base, year), this.#findInDollars(quote, year)];
    if (above === null || below === null) return null;
    return widen({ low: above.low / below.high, high: above.high / below.low }, this.#class.margin);
  }

  #findInDollars(asset: string | null, year: number): Band | null {
    if (asset === null) return null;
    if (asset === "USD") return { low: 1, high: 1 };
    const quoted = this.#findRange(`USD${asset}`, year);
    return quoted === null ? this.#findRange(`${asset}USD`, year) : { low: 1 / quoted.high, high: 1 / quoted.low };
  }

  /** The range of a year of the table, or of one shortly before or after, widened by what may have happened since. */
  #findRange(symbol: string, year: number): Band | null {
    const found = ranges.get(symbol);
    if (found === undefined) return null;
    const at = Math.min(Math.max(year - found.from, 0), found.bands.length - 1);
    const away = Math.abs(year - found.from - at);
    const band = found.bands[at];
    return band === undefined || away > MOST_UNKNOWN_YEARS ? null : widen(band, this.#class.year ** away);
  }

  /** Shares are judged by their last level alone, and by their splits. */
  #findShare(year: number): Band | null {
    const last = findUsualLevel(this.#instrument);
    if (last === null) return null;
    const years = Math.abs(LAST_YEAR + 1 - year);
    const isSplit = ([symbol, at]: (typeof splits)[number]) => symbol === this.#instrument.symbol && at >= year;
    const shares = splits.filter(isSplit).reduce((all, [, , each]) => all * each, 1);
    const low = last / Math.min(this.#class.year ** years, MOST_SHARE_LOW);
    return { low, high: last * Math.min(SHARE_HIGH ** years, MOST_SHARE_HIGH) * shares };
  }
}

function widen({ low, high }: Band, factor: number): Band {
  return { low: low / factor, high: high * factor };
}

const round = (price: number) => Number(price.toPrecision(3));

/** One wrong row does not tell the level. */
const SAMPLE = 101;

/** What is wrong with the level of a file's first prices, as a sentence: null if nothing is, or if no level is known. */
export function findLevelFault(file: PriceFile, levels: PriceLevels): string | null {
  const first = findLevel(file);
  if (first === null || !levels.isOff(first.price, first.timeMs)) return null;
  const fault = `its first prices are near ${round(first.price)}, and ${levels.describe(first.timeMs)}`;
  return `${fault}${explain(first, levels)}`;
}

/** What would bring a price to its level. */
function explain({ price, timeMs }: KnownPrice, levels: PriceLevels): string {
  const fits = (each: number) => !levels.isOff(each, timeMs);
  if (fits(price / 100)) return "; a hundred times too high, as cents, pence or a slipped decimal point are";
  if (fits(price * 100)) return "; a hundred times too low, as a slipped decimal point is";
  for (let power = 10; power <= 1e6; power *= 10) {
    if (fits(price / power)) return `; ${power} times too high, as points or a slipped decimal point are`;
    if (fits(price * power)) return `; ${power} times too low, as a slipped decimal point is`;
  }
  return fits(1 / price) ? "; they look like those of the inverse pair" : "";
}

/** The middle one of the first prices, and the time of the first; null if no row can be read. */
function findLevel(file: PriceFile): KnownPrice | null {
  const { rows } = file.open(file.zone ?? "UTC");
  const prices: number[] = [];
  let timeMs = NaN;
  for (let read = 0; read < SAMPLE && rows.next(); read++) {
    const price = file.kind === "ticks" ? rows.bid : rows.close;
    if (rows.fault !== null || !(price > 0)) continue;
    if (prices.length === 0) timeMs = rows.timeMs;
    prices.push(price);
  }
  const price = prices.sort((a, b) => a - b)[Math.floor(prices.length / 2)];
  return price === undefined ? null : { timeMs, price };
}
