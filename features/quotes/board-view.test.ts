import { describe, expect, test } from "vitest";
import { toNextRow, withDay } from "@/features/quotes/board-row";
import { type BoardSort, includesWords, sortBoard, toNextSort } from "@/features/quotes/board-view";
import { findFirst } from "@/features/quotes/data";
import type { BoardInstrument } from "@/features/quotes/types";
import { instruments } from "@/lib/market/catalog";

const instrument = (symbol: string, name: string): BoardInstrument => ({
  symbol,
  name,
  category: "forex",
  digits: 5,
  pipSize: 0.0001,
  currencies: "",
});
const eurusd = instrument("EURUSD", "Euro / US Dollar");
const gbpusd = instrument("GBPUSD", "British Pound / US Dollar");
const quoteless = instrument("USDTRY", "US Dollar / Turkish Lira");
const all = [gbpusd, quoteless, eurusd];
const rows = new Map([
  [
    "EURUSD",
    withDay(toNextRow(undefined, ["EURUSD", 1.08, 1.081, 0.8, 2_000, "alpha", 0]), {
      ...{ startMs: 0, previousClose: 1, open: 1, low: 1, high: 1.08 },
    }),
  ],
  [
    "GBPUSD",
    withDay(toNextRow(undefined, ["GBPUSD", 1.27, 1.271, 1.2, 1_000, "beta", 0]), {
      ...{ startMs: 0, previousClose: 1.3, open: 1, low: 1, high: 1.3 },
    }),
  ],
]);
const usual = new Map([
  ["EURUSD", [0.2, 0.4] as const],
  ["GBPUSD", [1, 2] as const],
]);
const sorted = (sort: BoardSort) =>
  sortBoard(all, sort, (symbol) => ({ row: rows.get(symbol), usual: usual.get(symbol) })).map(({ symbol }) => symbol);

describe("sortBoard", () => {
  test("returns the catalogue's order without a column", () => {
    expect(sorted({ column: null, descending: false })).toEqual(["GBPUSD", "USDTRY", "EURUSD"]);
  });

  test("puts symbols without a quote last, up and down", () => {
    expect(sorted({ column: "spread", descending: false })).toEqual(["EURUSD", "GBPUSD", "USDTRY"]);
    expect(sorted({ column: "spread", descending: true })).toEqual(["GBPUSD", "EURUSD", "USDTRY"]);
  });

  test("sorts by the change of the day, the place in its range, and the spread against its usual one", () => {
    expect(sorted({ column: "percent", descending: true })).toEqual(["EURUSD", "GBPUSD", "USDTRY"]);
    expect(sorted({ column: "change", descending: false })).toEqual(["GBPUSD", "EURUSD", "USDTRY"]);
    expect(sorted({ column: "range", descending: true })).toEqual(["EURUSD", "GBPUSD", "USDTRY"]);
    expect(sorted({ column: "usual", descending: true })).toEqual(["EURUSD", "GBPUSD", "USDTRY"]);
  });

  test("sorts by age with the newest price first", () => {
    expect(sorted({ column: "age", descending: false })[0]).toBe("EURUSD");
  });
});

describe("nextSort", () => {
  test("changes from ascending to descending and back to the catalogue's order", () => {
    const up = toNextSort({ column: "bid", descending: true }, "spread");
    expect(up).toEqual({ column: "spread", descending: false });
    const down = toNextSort(up, "spread");
    expect(down).toEqual({ column: "spread", descending: true });
    expect(toNextSort(down, "spread").column).toBeNull();
  });
});

describe("A search of the board", () => {
  test.each(["eurusd", "EUR", "eur/usd", "euro dollar", "  usd euro ", "forex euro"])(
    "finds EURUSD by %j",
    (search) => {
      expect(includesWords(eurusd, search)).toBe(true);
    },
  );

  test("requires every word to match", () => {
    expect(includesWords(eurusd, "euro pound")).toBe(false);
  });

  /** What the page finds before its first answer: words, and what the server adds. */
  function find(search: string): string[] {
    const others = findFirst(search).found;
    return instruments
      .filter((each) => includesWords(each, search) || others.includes(each.symbol))
      .map(({ symbol }) => symbol);
  }

  test.each([
    ["DAX", "GER40"],
    ["nasdaq", "NAS100"],
    ["s&p", "US500"],
    ["us oil", "USOIL"],
    ["gold", "XAUUSD"],
    ["EURUSD.pro", "EURUSD"],
    ["XAUUSDm", "XAUUSD"],
    ["OANDA:US30_USD", "US30"],
  ])("finds by %j what the API finds: %s", (search, symbol) => {
    expect(find(search)).toContain(symbol);
    expect(find(search).length).toBeLessThan(6);
  });

  test("finds every instrument by each of its other names, as the API does", () => {
    for (const { symbol, aliases } of instruments) {
      for (const alias of aliases) expect(find(alias), alias).toContain(symbol);
    }
  });
});
