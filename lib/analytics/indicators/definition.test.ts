import { describe, expect, test } from "vitest";
import { findIndicator } from "@/lib/analytics/indicators/registry";

const CONTEXT = { close: 1.1, point: 0.00001 };
const getSignal = (name: string, value: number) => findIndicator(name)!.signal!(value, CONTEXT);

describe("a signal", () => {
  test.each([
    ["RSI_14", 30, 70],
    ["Williams_R_14", -80, -20],
    ["CCI_14", -100, 100],
    ["Stochastic_K", 20, 80],
    ["DeMarker_14", 0.3, 0.7],
  ])("%s is oversold below %d and overbought above %d, and neutral on them", (name, low, high) => {
    expect([low - 0.01, low, high, high + 0.01].map((value) => getSignal(name, value))).toEqual([
      "oversold",
      "neutral",
      "neutral",
      "overbought",
    ]);
  });

  test.each(["Parabolic_SAR", "Alligator_jaw"])(
    "The signal of %s is the side of the line on which the bar closed",
    (name) => {
      expect([1.09999, 1.1, 1.10001].map((value) => getSignal(name, value))).toEqual(["bullish", "neutral", "bearish"]);
    },
  );

  test.each(["TEMA_20", "EMA_20", "SMA_20"])("The signal of %s needs half a point of distance", (name) => {
    expect([1.099994, 1.099996, 1.100004, 1.100006].map((value) => getSignal(name, value))).toEqual([
      "bullish",
      "neutral",
      "neutral",
      "bearish",
    ]);
  });

  test("The signal of momentum is its side of 100", () => {
    expect([99.9, 100, 100.1].map((value) => getSignal("Momentum_14", value))).toEqual([
      "bearish",
      "neutral",
      "bullish",
    ]);
  });

  test("The signal of a deviation is always neutral", () => expect(getSignal("StdDev_20", 3)).toBe("neutral"));
});
