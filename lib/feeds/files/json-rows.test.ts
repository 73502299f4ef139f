import { join } from "node:path";
import { expect, test } from "vitest";
import { looksLikePrices, openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

const START = Date.UTC(2024, 0, 31, 17);
/** Three bars of a minute. */
const BARS = [0, 1, 2].map((i) => ({ ms: START + i * 60_000, o: 1.1, h: 1.3, l: 1.05, c: 1.2 + i / 100, v: 5 + i }));
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
const index = <Value>(name: (ms: number) => string | number, value: (bar: (typeof BARS)[number]) => Value) =>
  Object.fromEntries(BARS.map((bar) => [name(bar.ms), value(bar)]));
const long = ({ o, h, l, c, v }: (typeof BARS)[number]) => ({ open: o, high: h, low: l, close: c, volume: v });
const column = (pick: keyof (typeof BARS)[number]) => BARS.map((bar) => bar[pick]);

function read(value: unknown, name = "EURUSD.json") {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const [file] = openPriceFiles(join(writeFiles({ [name]: text }), name)).files;
  const { rows } = file!.open(file!.zone ?? "UTC");
  const found: number[][] = [];
  while (rows.next()) {
    const { timeMs, bid, ask, open, high, low, close, volume } = rows;
    found.push(file!.kind === "ticks" ? [timeMs, bid, ask] : [timeMs, open, high, low, close, volume]);
  }
  return { found, symbol: file!.symbol, zone: file!.zone };
}

test.each([
  ["dukascopy-node", BARS.map((bar) => ({ timestamp: bar.ms, ...long(bar) }))],
  ["ccxt", BARS.map(({ ms, o, h, l, c, v }) => [ms, o, h, l, c, v])],
  [
    "Binance, with numbers as texts",
    BARS.map((b) => [b.ms, ...[b.o, b.h, b.l, b.c, b.v].map(String), b.ms + 59_999, "1", 3, "1", "1", "0"]),
  ],
  [
    "OANDA",
    {
      instrument: "EUR_USD",
      granularity: "M1",
      candles: [
        ...BARS.map(({ ms, o, h, l, c, v }) => ({
          complete: true,
          volume: v,
          time: new Date(ms).toISOString().replace("Z", "000000Z"),
          bid: { o: String(o), h: String(h), l: String(l), c: String(c) },
        })),
        { complete: false, volume: 1, time: "2024-01-31T17:03:00Z", bid: { o: "9", h: "9", l: "9", c: "9" } },
      ],
    },
  ],
  [
    "Twelve Data",
    {
      meta: { symbol: "EUR/USD", interval: "1min" },
      values: BARS.map((b) => ({ datetime: iso(b.ms), ...long(b) })),
      status: "ok",
    },
  ],
  [
    "Polygon",
    {
      ticker: "C:EURUSD",
      results: BARS.map(({ ms, o, h, l, c, v }) => ({ v, vw: 1.15, o, c, h, l, t: ms, n: 1 })),
      status: "OK",
    },
  ],
  [
    "Finnhub and TradingView",
    {
      s: "ok",
      t: column("ms").map((ms) => ms / 1000),
      o: column("o"),
      h: column("h"),
      l: column("l"),
      c: column("c"),
      v: column("v"),
    },
  ],
  [
    "Yahoo's charts",
    {
      chart: {
        result: [
          {
            meta: { symbol: "EURUSD=X", exchangeTimezoneName: "Europe/London", timezone: "GMT" },
            timestamp: column("ms").map((ms) => ms / 1000),
            indicators: {
              quote: [
                { open: column("o"), close: column("c"), high: column("h"), low: column("l"), volume: column("v") },
              ],
            },
          },
        ],
        error: null,
      },
    },
  ],
  [
    "Alpha Vantage",
    {
      "Meta Data": { "1. Information": "FX", "6. Time Zone": "UTC" },
      "Time Series FX (1min)": index(iso, ({ o, h, l, c, v }) => ({
        "1. open": String(o),
        "2. high": String(h),
        "3. low": String(l),
        "4. close": String(c),
        "5. volume": String(v),
      })),
    },
  ],
  ["pandas by index", index(String, long)],
  [
    "pandas by columns",
    {
      Open: index(String, (b) => b.o),
      High: index(String, (b) => b.h),
      Low: index(String, (b) => b.l),
      Close: index(String, (b) => b.c),
      Volume: index(String, (b) => b.v),
    },
  ],
  [
    "pandas, split",
    {
      columns: ["Open", "High", "Low", "Close", "Volume"],
      index: column("ms"),
      data: BARS.map(({ o, h, l, c, v }) => [o, h, l, c, v]),
    },
  ],
  ["one object a line", BARS.map((bar) => JSON.stringify({ time: iso(bar.ms), ...long(bar) })).join("\n")],
])("The JSON of %s is read as rows.", (_, value) => {
  expect(read(value).found).toEqual(BARS.map(({ ms, o, h, l, c, v }) => [ms, o, h, l, c, v]));
});

test("Ticks are read, with the symbol beside them, and a zone too; a perpetual contract is not the coin.", () => {
  const ticks = [{ timestamp: START, askPrice: 1.1001, bidPrice: 1.1, askVolume: 1, bidVolume: 2 }];
  expect(read(ticks).found).toEqual([[START, 1.1, 1.1001]]);
  const pricing = { prices: [{ time: "2024-01-31T17:00:00Z", bids: [{ price: "1.1" }], asks: [{ price: "1.1001" }] }] };
  expect(read(pricing).found).toEqual([[START, 1.1, 1.1001]]);
  const tokyo = {
    timezone: "Asia/Tokyo",
    symbol: "GBP/USD",
    data: BARS.map((b) => ({ time: iso(b.ms + 9 * 3_600_000), ...long(b) })),
  };
  expect(read(tokyo)).toMatchObject({ symbol: "GBP/USD", zone: "Asia/Tokyo" });
  expect(read(tokyo).found[0]?.[0]).toBe(START);
  const bybit = {
    result: {
      category: "linear",
      symbol: "BTCUSDT",
      list: BARS.map(({ ms, o, h, l, c, v }) => [String(ms), o, h, l, c, v].map(String)),
    },
  };
  expect(read(bybit).symbol).toBe("BTCUSDT_PERP");
});

test.each([
  [
    "mid prices",
    { candles: BARS.map(({ ms, o, h, l, c }) => ({ time: iso(ms), mid: { o, h, l, c } })) },
    'no heading "bid" and "ask"',
  ],
  [
    "the order low, high, open, close",
    BARS.map(({ ms, o, h, l, c, v }) => [ms / 1000, l, h, o, c, v]),
    "has no heading",
  ],
  ["no rows", { a: 1, b: [] }, "JSON without rows of prices"],
  ["an end that is missing", '[{"time": 1706720400000, "open": 1', "damaged JSON"],
])("JSON with %s is refused.", (_, value, sentence) => {
  expect(() => read(value)).toThrow(sentence);
});

test("JSON that cannot be read counts as a file of prices if it has their words.", () => {
  const bytes = (text: string) => () => new TextEncoder().encode(text);
  expect(looksLikePrices("x.json", bytes('{"candles":[{"mid":{"o":1'))).toBe(true);
  expect(looksLikePrices("x.json", bytes("[[1706720400,1.1,1.2"))).toBe(true);
  expect(looksLikePrices("package.json", bytes('{"name":"x","version":"1"}'))).toBe(false);
});
