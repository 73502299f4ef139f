import { CURRENCIES, type CurrencyPair } from "@/lib/analytics/strength/currencies";
import type { Bar } from "@/lib/market/bar";

/** One pair's return in the window that ends with a bar; NaN without a price at both ends. */
export interface PairReturn extends Pick<CurrencyPair, "base" | "quote"> {
  /** ln(close ÷ close at the window's start). */
  readonly value: number;
}

/** Bars of the window in which a currency's return is taken. */
export const WINDOW_BARS = 12;
const USD = CURRENCIES.indexOf("USD");
/** A currency with fewer own pairs than this has its crosses derived from the dollar pairs. */
const MIN_PAIRS = 4;
/** Below any price step: a smaller mean is rounding noise of a market without movement. */
const NOISE = 1e-12;

export function computeReturn(bars: readonly (Bar | null)[], fromIndex: number, toIndex: number): number {
  const from = bars[fromIndex];
  const to = bars[toIndex];
  return from == null || to == null ? NaN : Math.log(to.close / from.close);
}

/**
 * The mean return of each currency over the pairs that contain it, in the order of `CURRENCIES`: + as the base, − as
 * the quote. A pair without a return is left out; a currency without any pair has NaN.
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
    // The other currency's return against the dollar is −againstDollar.
    if (other !== currency && !own.has(other)) own.set(other, dollar + againstDollar);
  }
}
