import { describe, expect, test } from "vitest";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { ORACLES } from "@/lib/analytics/indicators/oracle.fixture";
import { indicators } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";

const MARKETS = [
  { bars: generateBars(320, { seed: 11, digits: 5, price: 1.1 }), price: 1.1 },
  { bars: generateBars(320, { seed: 4, digits: 3, price: 150 }), price: 150 },
];

describe.each(indicators.map((definition) => [definition.name, definition] as const))("%s", (name, definition) => {
  test.each(MARKETS)("It equals the reference implementation at every bar, at a price of $price", ({ bars, price }) => {
    const expected = ORACLES[name]!(bars);
    const values = runIndicator(definition, bars);
    expect(values.map((value) => value === null)).toEqual(expected.map((value) => value === null));
    const wrong = values.flatMap((value, i) => {
      const wanted = expected[i] ?? null;
      // A value computed from a difference of prices is only as exact as the prices.
      const noise = definition.decimals === "oscillator" ? 1e-9 : 1e-13 * price;
      const tolerance = 1e-9 * Math.abs(wanted ?? 0) + noise;
      return value === null || wanted === null || Math.abs(value - wanted) <= tolerance ? [] : [{ i, value, wanted }];
    });
    expect(wrong).toEqual([]);
  });
});
