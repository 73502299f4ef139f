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

function rollUpOf(spreads: readonly number[]): SpreadRollup {
  const total = new RollupBuilder();
  for (const spread of spreads) total.add(spread);
  return total.build();
}

function histogramOf(spreads: readonly number[]): Histogram {
  const histogram = new Map<number, number>();
  for (const spread of spreads) addHistogram(histogram, new Map([[spread, 1]]));
  return histogram;
}

describe("roll-ups of spreads", () => {
  test("merge to the roll-up of all their samples, however they are cut and in whatever order", () => {
    fc.assert(
      fc.property(samples, samples, samples, (one, two, three) => {
        const [a, b, c] = [rollUpOf(one), rollUpOf(two), rollUpOf(three)];
        const whole = rollUpOf([...one, ...two, ...three]);
        expect(mergeRollups(mergeRollups(a, b), c)).toEqual(whole);
        expect(mergeRollups(a, mergeRollups(b, c))).toEqual(whole);
        expect(mergeRollups(mergeRollups(c, a), b)).toEqual(whole);
        expect(mergeRollups(whole, NO_SPREADS)).toEqual(whole);
      }),
    );
  });

  test("are the same made of samples and of a histogram", () => {
    fc.assert(
      fc.property(samples, (spreads) => {
        expect(rollUp(histogramOf(spreads))).toEqual(rollUpOf(spreads));
      }),
    );
  });

  test("keep sums exact where doubles would not", () => {
    const widest = 2 ** 31 - 1;
    const { sum, sumSquares } = rollUpOf(Array.from({ length: 3_600 }, () => widest));
    expect(sum).toBe(3_600 * widest);
    expect(sumSquares).toBe(3_600n * BigInt(widest) ** 2n);
  });

  test("tell the mean and the population's standard deviation", () => {
    const rollup = rollUpOf([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(getMean(rollup)).toBe(5);
    expect(getDeviation(rollup)).toBe(2);
  });

  test("tell no deviation, not a trace of one, of a spread that never moved", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2_592_000 }), (spread, n) => {
        expect(getDeviation(rollUp(new Map([[spread, n]])))).toBe(0);
      }),
    );
  });
});

describe("percentiles of spreads", () => {
  test("are samples at their nearest rank", () => {
    const hundred = histogramOf(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(getPercentiles(hundred, [5, 25, 50, 75, 95, 100])).toEqual([5, 25, 50, 75, 95, 100]);
    expect(getPercentiles(histogramOf([7]), [5, 50, 95])).toEqual([7, 7, 7]);
    expect(getPercentiles(new Map(), [5, 50, 95])).toEqual([]);
  });

  test("are what sorting all the samples gives", () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 100 }), (spreads, percent) => {
        const sorted = [...spreads].sort((one, other) => one - other);
        const expected = spreads.length === 0 ? [] : [sorted[Math.ceil((percent * spreads.length) / 100) - 1]];
        expect(getPercentiles(histogramOf(spreads), [percent])).toEqual(expected);
      }),
    );
  });
});
