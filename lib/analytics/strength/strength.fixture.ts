import fc from "fast-check";
import {
  alignBars,
  BARS_NEEDED,
  computeStrengths,
  type CurrencyPair,
  currencyPairs,
  type CurrencyStrength,
} from "@/lib/analytics/strength/strength";
import type { Bar } from "@/lib/market/bar";
import { HOUR_MS } from "@/lib/time/units";

export const bar = (timeMs: number, open: number, close: number, reach = 1): Bar => ({
  timeMs,
  open,
  high: Math.max(open, close) * reach,
  low: Math.min(open, close) / reach,
  close,
  volume: 1,
});

export type Series = readonly (readonly Bar[])[];

/** A market without arbitrage: every pair is the quotient of two currencies' values, which walk at random. */
export function market(values: readonly (readonly number[])[], pairs: readonly CurrencyPair[] = currencyPairs): Series {
  return pairs.map(({ base, quote }) =>
    (values[base] ?? []).map((_, index) => {
      const price = (at: number) => (values[base]?.[at] ?? 1) / (values[quote]?.[at] ?? 1);
      return bar(index * HOUR_MS, price(Math.max(0, index - 1)), price(index));
    }),
  );
}

export const read = (series: Series, pairs: readonly CurrencyPair[] = currencyPairs): CurrencyStrength[] => {
  const result = computeStrengths(alignBars(series, BARS_NEEDED), pairs, "H1");
  if (result === null) throw new Error("too few bars");
  return result;
};

/** Values of the eight currencies over as many bars, from steps of up to a percent. */
export const walks = (length: number) =>
  fc
    .array(fc.array(fc.integer({ min: -100, max: 100 }), { minLength: length, maxLength: length }), {
      minLength: 8,
      maxLength: 8,
    })
    .map((steps) =>
      steps.map((each) => {
        let sum = 0;
        return each.map((step) => Math.exp((sum += step) / 10_000));
      }),
    );
