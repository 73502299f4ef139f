import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addHistogram,
  getDeviation,
  getMean,
  getPercentiles,
  type Histogram,
  mergeRollups,
  NO_SPREADS,
  rollUp,
  RollupBuilder,
  type SpreadRollup,
} from "@/lib/history/spreads/spread-rollup";

const samples = fc.array(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 2 ** 31 - 1 })));

function rollUpAll(spreads: readonly number[]): SpreadRollup {
  const total = new RollupBuilder(0);
  for (const spread of spreads) total.add(spread);
  return total.build();
}

function toHistogram(spreads: readonly number[]): Histogram {
  const histogram = new Map<number, number>();
  for (const spread of spreads) addHistogram(histogram, new Map([[spread, 1]]));
  return histogram;
}

describe("roll-ups of spreads", () => {
  test("Roll-ups merge to the roll-up of all samples, for any split and any order", () => {
    fc.assert(
      fc.property(samples, samples, samples, (one, two, three) => {
        const [a, b, c] = [rollUpAll(one), rollUpAll(two), rollUpAll(three)];
        const whole = rollUpAll([...one, ...two, ...three]);
        expect(mergeRollups(mergeRollups(a, b), c)).toEqual(whole);
        expect(mergeRollups(a, mergeRollups(b, c))).toEqual(whole);
        expect(mergeRollups(mergeRollups(c, a), b)).toEqual(whole);
        expect(mergeRollups(whole, NO_SPREADS)).toEqual(whole);
      }),
    );
  });

  test("Samples and their histogram have the same roll-up", () => {
    fc.assert(
      fc.property(samples, (spreads) => {
        expect(rollUp(toHistogram(spreads), 0)).toEqual(rollUpAll(spreads));
      }),
    );
  });

  test("Sums are exact where doubles would not be", () => {
    const widest = 2 ** 31 - 1;
    const { sum, sumSquares } = rollUpAll(Array.from({ length: 3_600 }, () => widest));
    expect(sum).toBe(3_600n * BigInt(widest));
    expect(sumSquares).toBe(3_600n * BigInt(widest) ** 2n);
  });

  test("Roll-ups have the mean and the population's standard deviation", () => {
    const rollup = rollUpAll([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(getMean(rollup)).toBe(5);
    expect(getDeviation(rollup)).toBe(2);
  });

  test("A spread that never moved has a deviation of exactly 0", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2_592_000 }), (spread, n) => {
        expect(getDeviation(rollUp(new Map([[spread, n]]), 0))).toBe(0);
      }),
    );
  });
});

describe("percentiles of spreads", () => {
  test("Percentiles are samples at their nearest rank", () => {
    const hundred = toHistogram(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(getPercentiles(hundred, [5, 25, 50, 75, 95, 100])).toEqual([5, 25, 50, 75, 95, 100]);
    expect(getPercentiles(toHistogram([7]), [5, 50, 95])).toEqual([7, 7, 7]);
    expect(getPercentiles(new Map(), [5, 50, 95])).toEqual([]);
  });

  test("Percentiles equal those of all samples sorted", () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 100 }), (spreads, percent) => {
        const sorted = [...spreads].sort((one, other) => one - other);
        const expected = spreads.length === 0 ? [] : [sorted[Math.ceil((percent * spreads.length) / 100) - 1]];
        expect(getPercentiles(toHistogram(spreads), [percent])).toEqual(expected);
      }),
    );
  });
});
