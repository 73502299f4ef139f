import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findGolden, readBars, readCsv } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";

/** Twelve indicators over 3,000 bars each equal those of a separate program that was checked against MetaQuotes' code. */

const NAMES = [
  "RSI_14",
  "Williams_R_14",
  "Parabolic_SAR",
  "CCI_14",
  "Alligator_jaw",
  "Stochastic_K",
  "Momentum_14",
  "SMA_20",
  "StdDev_20",
  "DeMarker_14",
  "EMA_20",
  "TEMA_20",
];

const golden = findGolden();

describe.skipIf(golden === undefined)("the expected values", () => {
  describe.each(["eurusd_h1", "usdjpy_flat"])("of %s", (file) => {
    test.each(NAMES)("%s equals the expected value at every bar", (name) => {
      const bars = readBars(join(golden ?? "", `${file}.csv`));
      const expected = readCsv(join(golden ?? "", `${file}.expected.csv`)).map((row) => row[name] ?? "");
      const values = runIndicator(findIndicator(name)!, bars);
      expect(bars.length).toBe(3000);
      expect(values.map((value) => value === null)).toEqual(expected.map((cell) => cell === ""));
      const wrong = values.flatMap((value, i) => {
        const wanted = Number(expected[i]);
        if (value === null || Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted)) return [];
        return [`bar ${i}: ${value} instead of ${wanted}`];
      });
      expect(wrong).toEqual([]);
    });
  });
});
