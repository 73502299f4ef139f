import { describe, expect, test } from "vitest";
import {
  DEFAULT_SYMBOLS,
  getLines,
  MOST_LINES,
  readView,
  toViewHref,
  withLineToggled,
  withoutSymbol,
} from "@/features/spreads/url";

const known = new Set([...DEFAULT_SYMBOLS, "EURJPY"]);
const find = (spelling: string) => (known.has(spelling.toUpperCase()) ? spelling.toUpperCase() : undefined);
const defaultView = {
  symbols: DEFAULT_SYMBOLS,
  period: "24h",
  selected: "EURUSD",
  sort: "avg",
  lines: [],
  zone: "America/New_York",
} as const;

describe("The address of the spreads page", () => {
  test("has no parameters for the default view", () => {
    expect(readView({}, find)).toEqual(defaultView);
    expect(toViewHref(defaultView)).toBe("/spreads");
  });

  test("is read as the view that it was written for", () => {
    const view = {
      symbols: ["XAUUSD", "EURJPY"],
      period: "7d",
      selected: "EURJPY",
      sort: "p95",
      lines: ["XAUUSD", "EURJPY:Alpine Markets"],
      zone: "Asia/Tokyo",
    } as const;
    const href = toViewHref(view);
    expect(href).toBe(
      "/spreads?symbols=XAUUSD,EURJPY&period=7d&symbol=EURJPY&sort=p95&lines=XAUUSD,EURJPY:Alpine+Markets&zone=Asia/Tokyo",
    );
    expect(readView(Object.fromEntries(new URLSearchParams(href.split("?")[1])), find)).toEqual(view);
  });

  test("is read without its invalid values", () => {
    const invalid = {
      symbols: "nonsense,, eurjpy ,eurjpy",
      period: "2y",
      symbol: "GBPUSD",
      sort: "worst",
      zone: "Mars",
    };
    expect(readView({ ...invalid, lines: "GBPUSD,EURJPY,EURJPY,:x" }, find)).toEqual({
      ...defaultView,
      symbols: ["EURJPY"],
      selected: "EURJPY",
      lines: ["EURJPY"],
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

  test("is written without a removed symbol and its lines, but keeps the last symbol", () => {
    const view = { ...defaultView, symbols: ["EURUSD", "EURJPY"], lines: ["EURUSD:Alpine", "EURJPY"] };
    expect(withoutSymbol(view, "EURUSD")).toMatchObject({
      symbols: ["EURJPY"],
      selected: "EURJPY",
      lines: ["EURJPY"],
    });
    expect(withoutSymbol({ ...defaultView, symbols: ["EURUSD"] }, "EURUSD").symbols).toEqual(["EURUSD"]);
  });
});

describe("The lines of the chart", () => {
  test("are the selected symbol until others are chosen", () => {
    expect(getLines(defaultView)).toEqual(["EURUSD"]);
    const two = withLineToggled(defaultView, "GBPUSD");
    expect(getLines(two)).toEqual(["EURUSD", "GBPUSD"]);
    expect(getLines(withLineToggled(two, "EURUSD"))).toEqual(["GBPUSD"]);
    expect(getLines(withLineToggled(defaultView, "EURUSD"))).toEqual(["EURUSD"]);
  });

  test("are at most eight", () => {
    const lines = Array.from({ length: MOST_LINES }, (_, index) => `EURUSD:${index}`);
    const full = { ...defaultView, lines };
    expect(withLineToggled(full, "GBPUSD")).toBe(full);
    expect(readView({ lines: [...lines, "EURUSD"].join(",") }, find).lines).toEqual(lines);
  });
});
