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

/** Skender's values at the last of those bars, 2018-12-31, of families with the same meaning. */
const SKENDER_LAST: readonly (readonly [name: string, value: number])[] = [
  ["ALMA_9_0.85_6", 242.68582771752506],
  ["Aroon_25_osc", -60],
  ["AO_5_34", -17.769176470588206],
  ["BBands_20_2_percentB", 0.34936189244000826],
  ["BBands_20_2_bandwidth", 17.343304274458287],
  ["ZScore_20", -0.602552430239966],
  ["WilderATR_14", 6.1497482878433045],
  ["ChaikinOsc_3_10", -19135200.72184658],
  ["Chandelier_22_3_long", 256.5860126699857],
  ["CMF_20", -0.12375374234545743],
  ["CMO_14", -26.750216076058855],
  ["ElderRay_13_bull", -0.4729306232739816],
  ["ElderRay_13_bear", -3.142930623273969],
  ["Fisher_10_main", -1.2876148579614486],
  ["ForceIndex_2", 275453177.69571686],
  ["HeikinAshi_open", 241.30177559110263],
  ["HMA_14", 237.96338888888891],
  ["KAMA_10_2_30", 240.1137540707837],
  ["Keltner_20_10_2_upper", 262.18729460652884],
  ["MFI_14", 39.949377041250514],
  ["Pivot_classic_month_R3", 294.3833333333333],
  ["ROC_14", -4.804781494993411],
  ["LinReg_14_slope", -1.5406813186813186],
  ["LinReg_14_r2", 0.561510664582115],
  ["LinReg_14", 236.693428571429],
  ["StochRSI_14_14_1_3_D", 89.83846321740634],
  ["Supertrend_10_3", 251.807983370328],
  ["TRIX_14", -0.34495494780984837],
  ["TSI_25_13_7_signal", -29.359687877367932],
  ["Ultimate_7_14_28", 49.52571829629629],
  ["Vortex_14_minus", 1.116299367226708],
  ["VWMA_14", 244.96867064125578],
  ["WMA_14", 243.36971428571428],
  ["DEMA_14", 239.91804880689918],
  ["Ichimoku_9_26_52_senkou_b", 269.82],
  ["Envelopes_20_2.5_upper", 258.15649999999994],
  ["SMMA_20", 255.67461981682237],
  ["StdDev_14", 8.288205198241855],
  ["MACD_12_26_9_main", -6.2197702562027075],
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

  test.each(SKENDER_LAST)("%s equals Skender's value at the last bar", (name, value) => {
    const bars = readBars(join(skender, "quotes/default.csv"));
    const stream = findIndicator(name)!.create();
    const own = bars.map((bar) => stream.push(bar)).at(-1);
    expect(Math.abs((own ?? NaN) - value)).toBeLessThanOrEqual(1e-7 * Math.abs(value));
  });

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
