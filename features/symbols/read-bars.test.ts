import { describe, expect, test } from "vitest";
import { type BarRequest, toBarsHref } from "@/features/symbols/bars-url";
import { listIndicatorLooks, readBarPage, readBarRequest } from "@/features/symbols/read-bars";
import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { indicators } from "@/lib/analytics/indicators/registry";
import { remember, runIndicator } from "@/lib/analytics/indicators/run";
import { roundReading } from "@/lib/api/indicators/latest-values";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

const bars = generateBars(700, { seed: 3, digits: 5, price: 1.1 });
const closed = bars.slice(0, -1);
const forming = bars[699];

/** An implementation of `BarHistory` in memory, which holds the latest 100 bars. */
const history: BarHistory = {
  readSeries: () => ({
    closed: closed.slice(-100),
    past: remember(null, closed.slice(0, -100)),
    holes: [],
    forming: forming ?? null,
  }),
  loadAll: () => Promise.resolve(),
  readRange(_symbol, _timeframe, { fromMs, toMs = Infinity, limit }) {
    const found = bars.filter(({ timeMs }) => timeMs >= (fromMs ?? -Infinity) && timeMs < toMs);
    return Promise.resolve(fromMs === undefined ? found.slice(-limit) : found.slice(0, limit));
  },
  readBefore(_symbol, _timeframe, { toMs, count }) {
    const earlier = closed.filter(({ timeMs }) => timeMs < toMs);
    return Promise.resolve({
      closed: earlier.slice(-count),
      past: remember(null, earlier.slice(0, -count)),
      pastMs: null,
    });
  },
};

const read = (request: Partial<BarRequest>) =>
  readBarPage(
    { bars: history, sides: { ask: history, mid: history } },
    instrumentBySymbol.get("EURUSD") as Instrument,
    {
      timeframe: "H1",
      price: "bid",
      indicators: [],
      beforeMs: null,
      fromMs: null,
      limit: 50,
      ...request,
    },
  );
const at = (index: number) => bars[index]?.timeMs ?? 0;

describe("a page of bars", () => {
  test("has the newest closed bars and the one that is still filling", async () => {
    const page = await read({});
    expect(page.bars.map(([timeMs]) => timeMs)).toEqual(bars.slice(-51).map(({ timeMs }) => timeMs));
    expect(page).toMatchObject({ isForming: true, hasOlder: true });
  });

  test("before a moment has only earlier bars, and none that is filling", async () => {
    const page = await read({ beforeMs: at(200) });
    expect(page.bars.map(([timeMs]) => timeMs)).toEqual(bars.slice(150, 200).map(({ timeMs }) => timeMs));
    expect(page).toMatchObject({ isForming: false, hasOlder: true });
    expect(await read({ beforeMs: at(20) })).toMatchObject({ hasOlder: false });
  });

  test("from a moment on has the bars since, up to the filling one", async () => {
    const page = await read({ fromMs: at(690) });
    expect(page.bars.map(([timeMs]) => timeMs)).toEqual(bars.slice(690).map(({ timeMs }) => timeMs));
    expect(page).toMatchObject({ isForming: true, hasOlder: false });
  });

  test("that ends before the present has no filling bar", async () => {
    expect(await read({ fromMs: at(100), limit: 10 })).toMatchObject({ isForming: false });
  });

  test("has, for every indicator, the rounded values of a run over all bars from the first", async () => {
    for (const definition of indicators) {
      const all = runIndicator(definition, closed).map((value) => value && roundReading(value, definition, 5));
      const newest = await read({ indicators: [definition.name], limit: 300 });
      expect(newest.values[definition.name], definition.name).toEqual([...all.slice(-300), null]);
      const older = await read({ indicators: [definition.name], beforeMs: at(150), limit: 120 });
      expect(older.values[definition.name], definition.name).toEqual(all.slice(30, 150));
    }
  });
});

describe("the address of bars", () => {
  test("is read as it was written", () => {
    const range = { beforeMs: 5, fromMs: 3, limit: 70 };
    const request = { timeframe: "M5", price: "ask", indicators: ["SMA_20", "RSI_14"], ...range } as const;
    const href = toBarsHref("EURUSD", request);
    expect(readBarRequest(new URL(href, "http://localhost").searchParams)).toEqual(request);
  });

  test("has a bounded number of bars, and defaults in place of nonsense", () => {
    const request = (query: string) => readBarRequest(new URLSearchParams(query));
    expect(request("limit=999999")).toMatchObject({ limit: 5_000 });
    expect(request("limit=0")).toMatchObject({ limit: 1 });
    expect(request("timeframe=M30&price=ask")).toMatchObject({ price: "bid" });
    expect(request("limit=-1&before=soon&from=1e9&timeframe=H99&indicators=NOPE")).toEqual({
      timeframe: "H1",
      price: "bid",
      indicators: [],
      beforeMs: null,
      fromMs: null,
      limit: 500,
    });
  });
});

test("Prices are drawn over the bars, and the lines of one family share a pane", () => {
  const panes = Object.fromEntries(listIndicatorLooks(5).map(({ name, pane }) => [name, pane]));
  expect(panes).toMatchObject({ SMA_20: null, SAR: null, BB_upper: null, Ichimoku_senkou_a: null, RSI_14: "RSI" });
  expect([panes.MACD_main, panes.MACD_signal, panes.MACD_hist]).toEqual(["MACD", "MACD", "MACD"]);
  expect(panes.BB_width).toBe("BB");
  expect(Object.keys(panes)).toHaveLength(42);
});
