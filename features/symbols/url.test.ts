import { describe, expect, test } from "vitest";
import { isUnknown, readChartChoice, resolveSpelling } from "@/features/symbols/read-choice";
import { type ChartChoice, toSymbolHref } from "@/features/symbols/url";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";

const resolver = createResolver(instruments);
const read = (query: string) => readChartChoice(new URLSearchParams(query), "EURUSD", resolver);
const defaults: ChartChoice = {
  timeframe: "H1",
  indicators: [],
  layers: ["volume", "events"],
  compare: null,
  style: "candles",
  scale: "linear",
  price: "bid",
  brick: null,
  fromMs: null,
  toMs: null,
};

describe("the address of a chart", () => {
  test("without parameters has the defaults, which are not written", () => {
    expect(read("")).toEqual(defaults);
    expect(toSymbolHref("EURUSD", defaults)).toBe("/symbols/EURUSD");
  });

  test("is read as it was written", () => {
    const choice: ChartChoice = {
      timeframe: "M15",
      indicators: ["SMA_20", "RSI_14"],
      layers: ["sessions", "spread"],
      compare: "GBPUSD",
      style: "heikin-ashi",
      scale: "log",
      price: "mid",
      brick: 12.5,
      fromMs: Date.UTC(2026, 10, 20, 8),
      toMs: Date.UTC(2026, 10, 20, 16, 15),
    };
    const href = toSymbolHref("EURUSD", choice);
    expect(href).toBe(
      "/symbols/EURUSD?timeframe=M15&indicators=SMA_20,RSI_14&layers=sessions,spread&compare=GBPUSD" +
        "&style=heikin-ashi&scale=log&price=mid&brick=12.5&from=2026-11-20T08:00:00Z&to=2026-11-20T16:15:00Z",
    );
    expect(read(new URL(href, "http://localhost").search)).toEqual(choice);
  });

  test("may hide every layer", () => {
    expect(read("layers=")).toMatchObject({ layers: [] });
    expect(toSymbolHref("EURUSD", { ...defaults, layers: [] })).toBe("/symbols/EURUSD?layers=");
  });

  test("takes any spelling of the compared symbol, but not the symbol itself", () => {
    expect(read("compare=gbp/usd")).toMatchObject({ compare: "GBPUSD" });
    expect(read("compare=eur-usd")).toEqual(defaults);
    expect(read("compare=nonsense")).toEqual(defaults);
  });

  test("takes aliases of indicators, each once, and at most eight", () => {
    expect(read("indicators=Williams_R_14,WilliamsR_14,NOPE,RSI_14").indicators).toEqual(["WilliamsR_14", "RSI_14"]);
    const many = "SMA_10,SMA_20,SMA_50,SMA_100,SMA_200,EMA_10,EMA_20,EMA_50,RSI_14";
    expect(read(`indicators=${many}`).indicators).toHaveLength(8);
  });

  test("with a range that ends before it begins has none", () => {
    expect(read("from=2026-11-20T08:00:00Z&to=2026-11-20T07:00:00Z")).toEqual(defaults);
    expect(read("to=2026-11-20T07:00:00Z")).toEqual(defaults);
    expect(read("timeframe=h4&from=yesterday&layers=all")).toEqual({ ...defaults, timeframe: "H4", layers: [] });
  });
});

describe("the symbol in an address", () => {
  const resolve = (part: string) => {
    const found = resolveSpelling(part, resolver);
    return isUnknown(found) ? found : found.symbol;
  };

  test("may be spelt in any usual way", () => {
    expect(["EURUSD", "eurusd", "eur%2Fusd", "EURUSD.pro", "gold"].map(resolve)).toEqual([
      "EURUSD",
      "EURUSD",
      "EURUSD",
      "EURUSD",
      "XAUUSD",
    ]);
  });

  test("that is unknown has suggestions", () => {
    const near: unknown = expect.arrayContaining(["EURUSD"]);
    expect(resolve("EURUSE")).toMatchObject({ spelling: "EURUSE", isAmbiguous: false, near });
  });

  test("with broken encoding is unknown, not an error", () => {
    expect(resolve("%E0%A4%A")).toMatchObject({ spelling: "%E0%A4%A" });
  });
});
