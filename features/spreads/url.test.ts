import { describe, expect, test } from "vitest";
import { DEFAULT_SYMBOLS, readView, toViewHref, withoutSymbol } from "@/features/spreads/url";

const known = new Set([...DEFAULT_SYMBOLS, "EURJPY"]);
const find = (spelling: string) => (known.has(spelling.toUpperCase()) ? spelling.toUpperCase() : undefined);
const defaultView = { symbols: DEFAULT_SYMBOLS, period: "24h", selected: "EURUSD" } as const;

describe("The address of the spreads page", () => {
  test("has no parameters for the default view", () => {
    expect(readView({}, find)).toEqual(defaultView);
    expect(toViewHref(defaultView)).toBe("/spreads");
  });

  test("is read as the view that it was written for", () => {
    const view = { symbols: ["XAUUSD", "EURJPY"], period: "7d", selected: "EURJPY" } as const;
    const href = toViewHref(view);
    expect(href).toBe("/spreads?symbols=XAUUSD,EURJPY&period=7d&symbol=EURJPY");
    expect(readView(Object.fromEntries(new URLSearchParams(href.split("?")[1])), find)).toEqual(view);
  });

  test("is read without its invalid values", () => {
    expect(readView({ symbols: "nonsense,, eurjpy ,eurjpy", period: "2y", symbol: "GBPUSD" }, find)).toEqual({
      symbols: ["EURJPY"],
      period: "24h",
      selected: "EURJPY",
    });
    expect(readView({ symbols: ["EURUSD", "GBPUSD"], period: ["1h"] }, find)).toEqual(defaultView);
  });

  test("adds a symbol and selects it, or changes nothing when it is unknown", () => {
    expect(readView({ symbols: "EURUSD", add: "eurjpy" }, find)).toMatchObject({
      symbols: ["EURUSD", "EURJPY"],
      selected: "EURJPY",
    });
    expect(readView({ add: "nonsense" }, find)).toEqual(defaultView);
  });

  test("is written without a removed symbol, but keeps the last symbol", () => {
    expect(withoutSymbol({ ...defaultView, symbols: ["EURUSD", "EURJPY"] }, "EURUSD")).toMatchObject({
      symbols: ["EURJPY"],
      selected: "EURJPY",
    });
    expect(withoutSymbol({ ...defaultView, symbols: ["EURUSD"] }, "EURUSD").symbols).toEqual(["EURUSD"]);
  });
});
