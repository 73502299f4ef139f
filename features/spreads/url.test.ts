import { describe, expect, test } from "vitest";
import { DEFAULT_SYMBOLS, readView, toViewHref, withoutSymbol } from "@/features/spreads/url";

const known = new Set([...DEFAULT_SYMBOLS, "EURJPY"]);
const find = (spelling: string) => (known.has(spelling.toUpperCase()) ? spelling.toUpperCase() : undefined);
const usual = { symbols: DEFAULT_SYMBOLS, period: "24h", selected: "EURUSD" } as const;

describe("the address of the spreads page", () => {
  test("is bare for the usual view", () => {
    expect(readView({}, find)).toEqual(usual);
    expect(toViewHref(usual)).toBe("/spreads");
  });

  test("comes back as the view it was made of", () => {
    const view = { symbols: ["XAUUSD", "EURJPY"], period: "7d", selected: "EURJPY" } as const;
    const href = toViewHref(view);
    expect(href).toBe("/spreads?symbols=XAUUSD,EURJPY&period=7d&symbol=EURJPY");
    expect(readView(Object.fromEntries(new URLSearchParams(href.split("?")[1])), find)).toEqual(view);
  });

  test("is read whatever stands in it", () => {
    expect(readView({ symbols: "nonsense,, eurjpy ,eurjpy", period: "2y", symbol: "GBPUSD" }, find)).toEqual({
      symbols: ["EURJPY"],
      period: "24h",
      selected: "EURJPY",
    });
    expect(readView({ symbols: ["EURUSD", "GBPUSD"], period: ["1h"] }, find)).toEqual(usual);
  });

  test("adds a symbol and selects it, or changes nothing when it is unknown", () => {
    expect(readView({ symbols: "EURUSD", add: "eurjpy" }, find)).toMatchObject({
      symbols: ["EURUSD", "EURJPY"],
      selected: "EURJPY",
    });
    expect(readView({ add: "nonsense" }, find)).toEqual(usual);
  });

  test("loses a symbol, but never the last", () => {
    expect(withoutSymbol({ ...usual, symbols: ["EURUSD", "EURJPY"] }, "EURUSD")).toMatchObject({
      symbols: ["EURJPY"],
      selected: "EURJPY",
    });
    expect(withoutSymbol({ ...usual, symbols: ["EURUSD"] }, "EURUSD").symbols).toEqual(["EURUSD"]);
  });
});
