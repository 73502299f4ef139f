import { instruments } from "@/lib/market/catalog";

export const CURRENCIES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;
export type Currency = (typeof CURRENCIES)[number];

export interface CurrencyPair {
  readonly symbol: string;
  /** Indexes of its two currencies in `CURRENCIES`. */
  readonly base: number;
  readonly quote: number;
}

/** The 28 pairs of the eight currencies, seven to each. */
export const currencyPairs: readonly CurrencyPair[] = instruments.flatMap(({ symbol, base, quote }) => {
  const place = (currency: string | null) => CURRENCIES.findIndex((each) => each === currency);
  const pair = { symbol, base: place(base), quote: place(quote) };
  return pair.base === -1 || pair.quote === -1 ? [] : [pair];
});
