import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { FAMILY_ORACLES } from "@/lib/analytics/indicators/family-oracle.fixture";
import { anyMember } from "@/lib/analytics/indicators/family.fixture";
import { type FamilyOracle, ORACLES } from "@/lib/analytics/indicators/oracle.fixture";
import { findIndicator, indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";

const MARKETS = [
  { bars: generateBars(320, { seed: 11, digits: 5, price: 1.1 }), price: 1.1 },
  { bars: generateBars(320, { seed: 4, digits: 3, price: 150 }), price: 150 },
];

function findWrong(
  definition: IndicatorDefinition,
  values: readonly (number | null)[],
  expected: readonly (number | null)[],
  price: number,
) {
  // A value computed from a difference of prices is only as exact as the prices.
  const noise = definition.decimals === "oscillator" || definition.decimals === "percent" ? 1e-9 : 1e-13 * price;
  return values.flatMap((value, i) => {
    const wanted = expected[i] ?? null;
    const tolerance = 1e-9 * Math.abs(wanted ?? 0) + noise;
    return value === null || wanted === null || Math.abs(value - wanted) <= tolerance ? [] : [{ i, value, wanted }];
  });
}

describe.each(indicators.map((definition) => [definition.name, definition] as const))("%s", (name, definition) => {
  test.each(MARKETS)("It equals the reference implementation at every bar, at a price of $price", ({ bars, price }) => {
    const expected = ORACLES[name]!(bars);
    const values = runIndicator(definition, bars);
    expect(values.map((value) => value === null)).toEqual(expected.map((value) => value === null));
    expect(findWrong(definition, values, expected, price)).toEqual([]);
  });
});

/** Members with a lookback are compared over as many bars: from there on they begin later than at the first bar. */
const SHORT = MARKETS.map(({ bars, price }) => ({ bars: bars.slice(0, 130), price }));

describe.each(indicatorFamilies.map((family) => [family.name, family] as const))("Any member of %s", (name, family) => {
  test.each(SHORT)("equals the reference implementation at every bar, at a price of $price", ({ bars, price }) => {
    fc.assert(
      fc.property(anyMember(family, { most: 40 }), (member) => {
        const definition = findIndicator(member.name)!;
        const used = bars.slice(0, Math.max(definition.lookback ?? bars.length, definition.warmUp));
        const expected = (FAMILY_ORACLES[name] as FamilyOracle)(used, member.line, ...(member.values as number[]));
        const values = runIndicator(definition, used);
        expect(values.map((value) => value === null)).toEqual(expected.map((value) => value === null));
        expect(findWrong(definition, values, expected, price), member.name).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });
});
