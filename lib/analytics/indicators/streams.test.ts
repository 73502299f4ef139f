import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyBars, flatBars, generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { computeLatest, runIndicator, runWithSignals } from "@/lib/analytics/indicators/run";

const market = generateBars(600, { seed: 7, digits: 5, price: 1.1 });

describe.each(indicators.map((definition) => [definition.name, definition] as const))("%s", (_, definition) => {
  test("It has its first value at the last bar of its warm-up, and one at every bar from there on", () => {
    const values = runIndicator(definition, market);
    expect(values.findIndex((value) => value !== null)).toBe(definition.warmUp - 1);
    expect(values.slice(definition.warmUp - 1)).not.toContain(null);
  });

  test("It stays finite and within its range in any market", () => {
    fc.assert(
      fc.property(anyBars(90), (bars) => {
        const [lowest, highest] = definition.range ?? [-Infinity, Infinity];
        for (const value of runIndicator(definition, bars)) {
          if (value === null) continue;
          expect(Number.isFinite(value) && !Object.is(value, -0)).toBe(true);
          expect(value >= lowest && value <= highest, `${value}`).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("It never depends on a later bar", () => {
    const values = runIndicator(definition, market);
    for (const length of [1, 14, 15, 20, 77, 200, 311]) {
      expect(runIndicator(definition, market.slice(0, length))).toEqual(values.slice(0, length));
    }
  });

  test("It is the same when streamed, in a batch, and as the latest value", () => {
    const values = runIndicator(definition, market);
    const one = definition.create();
    const other = definition.create();
    const streamed = market.map((bar, i) => {
      if (i % 3 === 0) other.push(bar);
      return one.push(bar);
    });
    expect(streamed).toEqual(values);
    expect(computeLatest(definition, market)).toBe(values.at(-1));
    expect(computeLatest(definition, [])).toBeNull();
  });

  test("It labels exactly the values it has", () => {
    const readings = runWithSignals(definition, market, 0.00001);
    expect(readings.map((reading) => reading?.value ?? null)).toEqual(runIndicator(definition, market));
  });
});

describe("in a market that does not move", () => {
  const price = 150.013;
  const readings = (name: string) => runWithSignals(findIndicator(name)!, flatBars(300, price), 0.001).slice(-1)[0];

  test.each([
    ["RSI_14", 50],
    ["Williams_R_14", 0],
    ["CCI_14", 0],
    ["CCI_20", 0],
    ["Stochastic_K", 100],
    ["Stochastic_D", 100],
    ["DeMarker_14", 0],
    ["Momentum_14", 100],
    ["StdDev_20", 0],
    ["BB_width", 0],
    ["ATR_14", 0],
    ["MACD_main", 0],
    ["MACD_hist", 0],
    ["ADX", 0],
    ["ADX_plusDI", 0],
    ["MFI_14", 100],
    ["OBV", 100],
    ["AD", 0],
  ])("%s is exactly %d", (name, value) => {
    expect(readings(name)?.value).toBe(value);
  });

  test("Every line on the price is exactly the price, and momentum exactly 100", () => {
    const lines = indicators.filter(({ decimals }) => decimals === "price");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom(1, 100, 1000, 100_000), (points, scale) => {
        const bars = flatBars(210, points / scale);
        for (const line of lines) expect(computeLatest(line, bars), line.name).toBe(points / scale);
        expect(computeLatest(findIndicator("Momentum_14")!, bars)).toBe(100);
      }),
    );
  });

  test.each(indicators.filter(({ signal }) => signal !== undefined).map(({ name }) => name))(
    "The signal of %s is neutral",
    (name) => expect(readings(name)?.signal).toBe("neutral"),
  );
});

describe("in a market that stops moving", () => {
  const stopped = [...market.slice(0, 300), ...flatBars(40, market[299]!.close, 0)];

  test("Williams' range repeats its last value with a neutral signal", () => {
    const readings = runWithSignals(findIndicator("Williams_R_14")!, stopped, 0.00001);
    expect(readings.at(-1)).toEqual({ value: readings.at(312)!.value, signal: "neutral" });
  });

  test("Windows become flat to the last digit", () => {
    for (const name of ["CCI_14", "StdDev_20", "DeMarker_14", "ATR_14", "BB_width"]) {
      expect(computeLatest(findIndicator(name)!, stopped)).toBe(0);
    }
  });
});
