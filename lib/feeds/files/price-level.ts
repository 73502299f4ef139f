import type { PriceFile } from "@/lib/feeds/files/price-rows";
import { findUsualLevel } from "@/lib/feeds/simulated/assets";
import type { Category, Instrument } from "@/lib/market/instrument";

/** Prices of the past against those of today: a slipped decimal point, points in place of prices, another symbol's rows. */

type Reach = readonly [down: number, up: number];

/** How far prices without a decimal point may be from today's, down and up: as far as they were since 2003. */
const REACH_WITHOUT_POINT: Readonly<Partial<Record<Category, Reach>>> = {
  forex: [6, 5],
  metals: [30, 5],
  commodities: [20, 5],
  indices: [25, 5],
};
/** Prices with one may be of any year, but never were so high; so low they are thousands without their last digits. */
const HIGHEST = 20;
const LOWEST = 300;
/** Its prices have grown more than tenfold, and old ones are a million times higher. */
const INFLATED = "TRY";
/** One wrong row does not tell the level. */
const SAMPLE = 101;

/**
 * What is wrong with the level of a file's first prices, as a sentence: null if nothing is, or if the usual level of the
 * instrument is unknown.
 */
export function findLevelFault(file: PriceFile, instrument: Instrument, hasPoint: boolean): string | null {
  const known = REACH_WITHOUT_POINT[instrument.category];
  const usual = findUsualLevel(instrument);
  if (known === undefined || usual === null || instrument.base === INFLATED || instrument.quote === INFLATED)
    return null;
  const [down, up] = hasPoint ? [LOWEST, HIGHEST] : known;
  const level = findLevel(file);
  if (level === null || (level >= usual / down && level <= usual * up)) return null;
  const near = (price: number) => Number(price.toPrecision(3));
  return `its first prices are near ${near(level)}, and ${instrument.symbol} is near ${near(usual)}`;
}

/** The middle one of the first prices; null if no row can be read. */
function findLevel(file: PriceFile): number | null {
  const { rows } = file.open(file.zone ?? "UTC");
  const prices: number[] = [];
  for (let read = 0; read < SAMPLE && rows.next(); read++) {
    const price = file.kind === "ticks" ? rows.bid : rows.close;
    if (rows.fault === null && price > 0) prices.push(price);
  }
  return prices.sort((a, b) => a - b)[Math.floor(prices.length / 2)] ?? null;
}
