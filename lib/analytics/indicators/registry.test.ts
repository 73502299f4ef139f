import { describe, expect, test } from "vitest";
import { getDecimals } from "@/lib/analytics/indicators/definition";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";

const NAMES = {
  trend:
    "SMA_10 SMA_20 SMA_50 SMA_100 SMA_200 EMA_10 EMA_20 EMA_50 MACD_main MACD_signal MACD_hist ADX ADX_plusDI ADX_minusDI " +
    "Ichimoku_tenkan Ichimoku_kijun Ichimoku_senkou_a Alligator_jaw Alligator_teeth Alligator_lips SAR TEMA_20 DEMA_20",
  oscillator: "RSI_14 Stochastic_K Stochastic_D CCI_14 CCI_20 WilliamsR_14 Momentum_14 DeMarker_14",
  volatility: "BB_upper BB_middle BB_lower BB_width ATR_14 ATR_7 StdDev_20",
  volume: "OBV MFI_14 AD Volumes",
};

describe("the registry", () => {
  test.each(Object.entries(NAMES))("The registry lists the indicators of %s", (category, names) => {
    const listed = indicators.filter((definition) => definition.category === category);
    expect(listed.map(({ name }) => name)).toEqual(names.split(" "));
  });

  test("The registry has 42 indicators, each with its own name", () => {
    const names = indicators.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(indicators.length).toBe(42);
    expect(new Set(names).size).toBe(names.length);
  });

  test("An indicator is found by its name and by its alias, and by nothing else", () => {
    expect(findIndicator("SAR")).toBe(findIndicator("Parabolic_SAR"));
    expect(findIndicator("WilliamsR_14")).toBe(findIndicator("Williams_R_14"));
    expect(indicators.flatMap(({ aliases }) => aliases)).toEqual(["Parabolic_SAR", "Williams_R_14"]);
    expect(findIndicator("sar")).toBeUndefined();
    expect(findIndicator("constructor")).toBeUndefined();
  });

  test("Four indicators have the first shape, each with signals", () => {
    const first = indicators.filter(({ shape }) => shape === "A");
    expect(first.map(({ name }) => name)).toEqual(["SAR", "TEMA_20", "CCI_14", "WilliamsR_14"]);
    expect(first.every(({ signal }) => signal !== undefined)).toBe(true);
  });

  test("Each indicator has a description and a formula of one line", () => {
    expect(new Set(indicators.map(({ description }) => description)).size).toBe(42);
    expect(indicators.filter(({ formula }) => formula.includes("\n") || formula.length === 0)).toEqual([]);
  });

  test("Oscillators have 4 decimals, prices 2 more than the symbol, and differences 3 more", () => {
    const decimals = (name: string) => getDecimals(findIndicator(name)!, 5);
    expect(["RSI_14", "SMA_20", "StdDev_20", "OBV"].map(decimals)).toEqual([4, 7, 8, 2]);
  });
});
