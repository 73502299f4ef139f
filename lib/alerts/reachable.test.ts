import { describe, expect, test } from "vitest";
import { type Condition, newConditionSchema } from "@/lib/alerts/conditions";
import { requireReachable } from "@/lib/alerts/reachable";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const PRICES: Readonly<Record<string, number>> = { EURUSD: 1.164, USDJPY: 151.2, XAUUSD: 2_034, BTCUSD: 64_000 };
const findPrice = (symbol: string) => PRICES[symbol] ?? null;

const read = (condition: object): Condition => newConditionSchema.parse(condition);
const check = (condition: object) => requireReachable(read(condition), findPrice, NOW);

const price = (symbol: string, level: number) => ({ type: "price", symbol, level });
const indicator = (rest: object) => ({ type: "indicator", symbol: "EURUSD", ...rest });
const line = (from: number, to: number, rest: object = {}) => ({
  ...{ type: "line", symbol: "EURUSD", timeframe: "H1", extend: "right" },
  from: { time: "2026-11-20T05:00:00Z", price: from },
  to: { time: "2026-11-21T05:00:00Z", price: to },
  ...rest,
});

describe("An alert that cannot fire is refused", () => {
  test.each([
    ["a level of another symbol", price("XAUUSD", 1.1), "XAUUSD is at 2034.000, too far from 1.100"],
    ["a decimal point that slipped", price("EURUSD", 11.6), "too far"],
    ["and one to the left", price("USDJPY", 1.512), "too far"],
    [
      "a value above all of an indicator",
      indicator({ indicator: "RSI_14", level: 170, direction: "up" }),
      "from 0 to 100",
    ],
    ["a value below all of it", indicator({ indicator: "Williams_R_14", level: 20 }), "cannot cross 20"],
    [
      "its highest, from below",
      indicator({ indicator: "RSI_14", level: 100, direction: "up" }),
      "cannot cross above 100",
    ],
    ["an average at another symbol's price", indicator({ indicator: "EMA_20", level: 151 }), "cannot cross 151"],
    ["a difference that no price has", indicator({ indicator: "MACD_hist", level: 50 }), "cannot cross 50"],
    [
      "an oscillator against a price",
      { ...indicator({ indicator: "RSI_14", against: "close" }), symbol: "XAUUSD" },
      "close",
    ],
    ["a line that has fallen below 0", line(1.16, 0.66), "fallen below 0"],
    ["a line at another symbol's price", line(2_034, 2_034), "too far"],
    [
      "a fall by all of the price",
      { type: "move", symbol: "EURUSD", percent: 100, minutes: 60, direction: "down" },
      "100 %",
    ],
  ])("for %s", (_, condition, message) => expect(() => check(condition)).toThrow(message));
});

describe("An alert that may fire is taken", () => {
  test.each([
    ["a level that its class can reach", price("EURUSD", 0.8)],
    ["a coin at five times its price", price("BTCUSD", 320_000)],
    ["a level of a symbol without a price yet", price("GBPUSD", 151)],
    ["the highest value, from above", indicator({ indicator: "RSI_14", level: 100, direction: "down" })],
    ["an average at a price", indicator({ indicator: "EMA_20", level: 1.2 })],
    ["two averages", indicator({ indicator: "EMA_20", against: "EMA_50" })],
    ["an oscillator against another", indicator({ indicator: "Stochastic_K", against: "Stochastic_D" })],
    ["a sum of volumes", indicator({ indicator: "OBV", level: -1e9 })],
    ["a line that falls and is above 0", line(1.17, 1.16)],
    ["a line that falls below 0 next year", line(1.16, 1.158)],
    [
      "a line that begins later",
      line(1.17, 1.16, {
        from: { time: "2027-01-01T00:00:00Z", price: 1.2 },
        to: { time: "2027-01-02T00:00:00Z", price: 0.1 },
      }),
    ],
    ["a fall by half", { type: "move", symbol: "EURUSD", percent: 50, minutes: 60, direction: "down" }],
    ["a rise by all", { type: "move", symbol: "BTCUSD", percent: 100, minutes: 60, direction: "up" }],
  ])("for %s", (_, condition) => expect(() => check(condition)).not.toThrow());
});
