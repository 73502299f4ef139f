import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBars, readCsv } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";
import { findRealData } from "@/lib/feeds/real-data.fixture";

/** Values equal those of other libraries for the same bars, for indicators with the same meaning. */

const data = findRealData();

/**
 * Skender's Stock.Indicators, 502 daily bars. It seeds exponential averages with a simple mean, so those agree once the
 * seed has faded; its stochastic (a mean of ratios) and its deviation (14 bars) are defined differently.
 */
const SKENDER = [
  { name: "SMA_20", file: "sma", field: "sma", fromBar: 19 },
  { name: "BB_middle", file: "sma", field: "sma", fromBar: 19 },
  { name: "RSI_14", file: "rsi", field: "rsi", fromBar: 14 },
  { name: "Williams_R_14", file: "willr", field: "williamsR", fromBar: 13 },
  { name: "CCI_20", file: "cci", field: "cci", fromBar: 19 },
  { name: "Alligator_jaw", file: "alligator", field: "jaw", fromBar: 20 },
  { name: "Alligator_teeth", file: "alligator", field: "teeth", fromBar: 12 },
  { name: "Alligator_lips", file: "alligator", field: "lips", fromBar: 7 },
  { name: "EMA_20", file: "ema", field: "ema", fromBar: 200 },
  { name: "TEMA_20", file: "tema", field: "tema", fromBar: 300 },
  // It excludes the reversing bar from the new stop, and at bar 250 that bar had the lowest low of the run.
  { name: "Parabolic_SAR", file: "psar", field: "sar", fromBar: 60, exceptBar: 250 },
];

describe.skipIf(data === undefined)("the values of other libraries", () => {
  const skender = join(data ?? "", "indicators/skender");

  test.each(SKENDER)(
    "$name equals Skender's value from bar $fromBar on",
    ({ name, file, field, fromBar, exceptBar }) => {
      const rows: Record<string, unknown>[] = JSON.parse(
        readFileSync(join(skender, `results/${file}.standard.json`), "utf8"),
      );
      expectAgreement(
        name,
        join(skender, "quotes/default.csv"),
        rows.map((row) => row[field] as number | null),
        fromBar,
        exceptBar,
      );
    },
  );

  test("Momentum_14 less 100 equals Skender's rate of change from bar 14 on", () => {
    const rows: { roc: number | null }[] = JSON.parse(readFileSync(join(skender, "results/roc.standard.json"), "utf8"));
    expectAgreement(
      "Momentum_14",
      join(skender, "quotes/default.csv"),
      rows.map(({ roc }) => (roc === null ? null : roc + 100)),
      14,
    );
  });

  test("DeMarker_14 equals Lean's value from bar 14 on, over 500 hours of EURUSD", () => {
    const path = join(data ?? "", "indicators/lean/eurusd60_dem_first500.txt");
    expectAgreement(
      "DeMarker_14",
      path,
      readCsv(path).map((row) => Number(row.DeM)),
      14,
    );
  });
});

function expectAgreement(
  name: string,
  barsPath: string,
  expected: readonly (number | null)[],
  fromBar: number,
  exceptBar?: number,
): void {
  const values = runIndicator(findIndicator(name)!, readBars(barsPath));
  expect(values.length).toBe(expected.length);
  const wrong = values.flatMap((value, i) => {
    if (i < fromBar || i === exceptBar) return [];
    const wanted = expected[i] ?? null;
    if (value !== null && wanted !== null && Math.abs(value - wanted) <= 1e-9 * Math.abs(wanted)) return [];
    return [{ bar: i, value, wanted }];
  });
  expect(wrong).toEqual([]);
}
