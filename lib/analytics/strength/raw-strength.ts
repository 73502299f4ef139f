import { CURRENCIES, type CurrencyPair } from "@/lib/analytics/strength/currencies";
import type { Bar } from "@/lib/market/bar";

/** One pair's return in the window that ends with a bar; NaN without a price at both ends. */
export interface PairReturn extends Pick<CurrencyPair, "base" | "quote"> {
  /** ln(close ÷ close at the window's start). */
  readonly value: number;
}

const USD = CURRENCIES.indexOf("USD");
/** With fewer pairs of its own than this, a currency's crosses are derived from the dollar pairs. */
const MIN_PAIRS = 4;
/** No price has this many digits: a smaller mean is a rounding error of a market that has not moved. */
const NOISE = 1e-12;

export function computeReturn(bars: readonly (Bar | null)[], fromIndex: number, toIndex: number): number {
  const from = bars[fromIndex];
  const to = bars[toIndex];
  return from == null || to == null ? NaN : Math.log(to.close / from.close);
}

/**
 * The mean return of each currency over the pairs that contain it, in the order of `CURRENCIES`: + where it is the base,
 * − where it is the quote. A pair without a return is left out; a currency without any pair gets NaN.
 */
export function computeRawStrengths(returns: readonly PairReturn[]): number[] {
  const valid = returns.filter(({ value }) => !Number.isNaN(value));
  return CURRENCIES.map((_, currency) => {
    const own = collectReturns(currency, valid);
    if (own.size < MIN_PAIRS) addCrosses(own, currency, valid);
    if (own.size === 0) return NaN;
    let sum = 0;
    for (const value of own.values()) sum += value;
    const mean = sum / own.size;
    return Math.abs(mean) < NOISE ? 0 : mean;
  });
}

/** A currency's returns by the currency on the other side. */
function collectReturns(currency: number, returns: readonly PairReturn[]): Map<number, number> {
  const byCounterpart = new Map<number, number>();
  for (const { base, quote, value } of returns) {
    if (base === currency) byCounterpart.set(quote, value);
    else if (quote === currency) byCounterpart.set(base, -value);
  }
  return byCounterpart;
}

function addCrosses(own: Map<number, number>, currency: number, returns: readonly PairReturn[]): void {
  const dollar = own.get(USD);
  if (dollar === undefined) return;
  for (const [other, againstDollar] of collectReturns(USD, returns)) {
    // Against the dollar the other currency did −againstDollar.
    if (other !== currency && !own.has(other)) own.set(other, dollar + againstDollar);
  }
}
