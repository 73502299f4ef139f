import { gzipSync, strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { findTimeframe } from "@/lib/feeds/files/bar-timeframe";
import { findNamedSymbol } from "@/lib/feeds/files/file-names";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

function open(name: string, content: string | Uint8Array, decimals?: number) {
  const [file] = openPriceFiles(`${writeFiles({ [name]: content })}/${name}`, { decimals }).files;
  if (file === undefined) throw new Error("There is no file.");
  return file;
}

function readTicks(name: string, content: string | Uint8Array, zone?: string) {
  const file = open(name, content);
  const { rows } = file.open(zone ?? file.zone ?? "UTC");
  const read: unknown[] = [];
  while (rows.next()) {
    read.push(rows.fault ?? [new Date(rows.timeMs).toISOString(), rows.bid, rows.ask]);
  }
  return { format: file.format, kind: file.kind, zone: file.zone, read };
}

const ZIPPED = "20200701 170000065,1.121200,1.121720,0\n";

test.each([
  ["histdata", "x.csv", "20200101 170000065,1.121200,1.121720,0", "2020-01-01T22:00:00.065Z"],
  ["histdata", "x.zip", zipSync({ "a.txt": strToU8("about"), "a.csv": strToU8(ZIPPED) }), "2020-07-01T21:00:00.065Z"],
  ["histdata", "x.csv.gz", gzipSync(strToU8(ZIPPED)), "2020-07-01T21:00:00.065Z"],
  ["truefx", "x.csv", "EUR/USD,20130101 22:00:00.295,1.1212,1.12172", "2013-01-01T22:00:00.295Z"],
  [
    "lean",
    "20140502_quote.zip",
    zipSync({ "20140502_eurusd_tick_quote.csv": strToU8("3600000.5,1.1212,1.12172") }),
    "2014-05-02T01:00:00.000Z",
  ],
  ["csv", "x.csv", "timestamp,bid,ask\n2013-01-01 22:00:00.295000+00:00,1.1212,1.12172", "2013-01-01T22:00:00.295Z"],
  ["csv", "x.csv", '"Date";"Time";"Ask";"Bid"\r\n2013-01-01;22:00:00;1,12172;1,1212\r\n', "2013-01-01T22:00:00.000Z"],
  ["csv", "x.csv", "\ufefftime,symbol,bid,ask\n1546383600078,EURUSD,1.1212,1.12172", "2019-01-01T23:00:00.078Z"],
  ["csv", "x.csv", "1546383600,1.1212,1.12172", "2019-01-01T23:00:00.000Z"],
  ["csv", "x.csv", "1546383600078123456,1.1212,1.12172", "2019-01-01T23:00:00.078Z"],
  [
    "dukascopy csv",
    "x.csv",
    "Gmt time,Ask,Bid,AskVolume,BidVolume\n01.02.2019 23:00:00.078,1.12172,1.1212,1,1",
    "2019-02-01T23:00:00.078Z",
  ],
  [
    "dukascopy csv",
    "x.csv",
    "Local time,Ask,Bid,AskVolume,BidVolume\n01.02.2019 23:00:00.078 GMT+0100,1.12172,1.1212,1,1",
    "2019-02-01T22:00:00.078Z",
  ],
])("A file of ticks of the format %s is read by its content (%s)", (format, name, content, time) => {
  expect(readTicks(name, content)).toMatchObject({ format, kind: "ticks", read: [[time, 1.1212, 1.12172]] });
});

test("MetaTrader's ticks leave out the side that did not change, and need a zone", () => {
  const heading = "<DATE>\t<TIME>\t<BID>\t<ASK>\t<LAST>\t<VOLUME>\t<FLAGS>";
  const rows = [
    "2024.07.01\t00:00:01.100\t1.1\t1.2\t\t\t6",
    "2024.07.01\t00:00:02.100\t\t1.3\t\t\t4",
    "2024.07.01\t00:00:03.100\t1.15\t\t\t\t2",
  ];
  expect(readTicks("EURUSD.csv", [heading, ...rows].join("\r\n"), "America/New_York+7")).toEqual({
    format: "metatrader 5",
    kind: "ticks",
    zone: null,
    read: [
      ["2024-06-30T21:00:01.100Z", 1.1, 1.2],
      ["2024-06-30T21:00:02.100Z", 1.1, 1.3],
      ["2024-06-30T21:00:03.100Z", 1.15, 1.3],
    ],
  });
});

test.each([
  [
    "histdata",
    "M1",
    "20250601 170300;1.1;1.4;1.0;1.2;0\n20250601 170400;1.2;1.4;1.0;1.2;0",
    "2025-06-01T21:03:00.000Z",
    0,
  ],
  [
    "metatrader 5",
    "H1",
    "<DATE>\t<TIME>\t<OPEN>\t<HIGH>\t<LOW>\t<CLOSE>\t<TICKVOL>\t<VOL>\t<SPREAD>\n2025.01.02\t01:00:00\t1.1\t1.4\t1.0\t1.2\t17\t0\t15\n2025.01.02\t02:00:00\t1.1\t1.4\t1.0\t1.2\t17\t0\t15",
    "2025-01-02T01:00:00.000Z",
    17,
  ],
  [
    "metatrader 4",
    "M5",
    "2025.01.02,01:00,1.1,1.4,1.0,1.2,9\n2025.01.02,01:05,1.1,1.4,1.0,1.2,9",
    "2025-01-02T01:00:00.000Z",
    9,
  ],
  [
    "csv",
    "M15",
    "time,open,high,low,close\n2025-01-02T01:00Z,1.1,1.4,1.0,1.2\n2025-01-02T01:15Z,1.1,1.4,1.0,1.2",
    "2025-01-02T01:00:00.000Z",
    0,
  ],
] as const)("A file of bars of the format %s has its timeframe %s", (format, timeframe, content, time, volume) => {
  const file = open("EURUSD.csv", content);
  const zone = file.zone ?? "UTC";
  expect([file.format, file.kind, findTimeframe(file, zone).timeframe]).toEqual([format, "bars", timeframe]);
  const { rows } = file.open(zone);
  rows.next();
  const { timeMs, open: first, high, low, close } = rows;
  expect([new Date(timeMs).toISOString(), first, high, low, close, rows.volume]).toEqual([
    time,
    1.1,
    1.4,
    1.0,
    1.2,
    volume,
  ]);
});

test("A row that cannot be read says what was expected, with its line", () => {
  const file = open(
    "x.csv",
    "time,bid,ask\n\n2019-02-30T00:00:00Z,1,2\n2019-02-01T24:00:00Z,1,2\n2019-02-01T00:00:00Z,x,2\n2019-02-01T00:00:00Z,1",
  );
  const { rows } = file.open("UTC");
  const faults: unknown[] = [];
  while (rows.next()) faults.push([rows.at, rows.fault, rows.describe()]);
  const time = "a time like 2024-01-31 23:59:58.123";
  expect(faults).toEqual([
    [3, time, "2019-02-30T00:00:00Z,1,2"],
    [4, time, "2019-02-01T24:00:00Z,1,2"],
    [5, "a bid and an ask", "2019-02-01T00:00:00Z,x,2"],
    [6, "a bid and an ask", "2019-02-01T00:00:00Z,1"],
  ]);
});

test.each([
  ["x.csv", "", "the file is empty"],
  ["x.csv", "hello world", "line 1 has no tab, semicolon or comma"],
  ["x.csv", "a,b,c\n1,2,3", 'line 1 has no heading "time"'],
  ["x.csv", "time,price\n1,2", 'line 1 has no heading "bid" and "ask"'],
  ["x.csv", "2019-01-01 00:00:00,1,2,3,4,5", "line 1 has no heading"],
  ["eurusd-ask.csv", "time,open,high,low,close\n1,2,3,4,5", "bars of the ask"],
  ["x.bi5", "]\0\0", "SYMBOL/2024/00/31/23h_ticks.bi5"],
  ["BID_candles_min_1.bi5", "]\0\0", "SYMBOL/2024/00/31/23h_ticks.bi5"],
  ["x.zip", zipSync({ "a.exe": strToU8("x") }), "line 1 has no tab, semicolon or comma"],
  ["x.zip", zipSync({ "a.csv": strToU8(ZIPPED) }).subarray(0, 50), "archive is damaged or ends too early"],
])("The file %s with %j is refused in a sentence", (name, content, sentence) => {
  expect(() => open(name, content)).toThrow(sentence);
});

test.each([
  ["DAT_ASCII_EURUSD_M1_2020.csv", "EURUSD"],
  ["DAT_NT_EURUSD_M1_TOTAL.csv", "EURUSD"],
  ["HISTDATA_COM_ASCII_EURUSD_M1202506.zip", "EURUSD"],
  ["HISTDATA_COM_MT_XAUUSD_M1202603/data.csv", "XAUUSD"],
  ["DAT_ASCII_SPXUSD_M1_2020.csv", "US500"],
  ["DAT_ASCII_JPXJPY_M1_2020.csv", "JP225"],
  ["DAT_ASCII_WTIUSD_M1_2020.csv", "USOIL"],
  ["DAT_ASCII_UDXUSD_M1_2020.csv", "new USDX"],
  ["grxeur_m1.parquet", "GER40"],
  ["SPXUSD_1h.parquet", "US500 or the coin SPX"],
  ["EURUSD_Candlestick_1_M_BID_01.01.2020-31.12.2020.csv", "EURUSD"],
  ["AAPLUS-USD_Candlestick_1_M_BID_02.09.2024-11.09.2024.csv", "AAPL"],
  ["SPY.USUSD_Candlestick_1_Hour_BID_26.01.2017-10.08.2024.csv", "new SPY.US-USD"],
  ["USA500.IDXUSD_Candlestick_1_M_BID_01.01.2020-31.12.2020.csv", "US500"],
  ["XAUUSD_Ticks_01.01.2020-02.01.2020.csv", "XAUUSD"],
  ["eurusd-m1-bid-2008-01-01-2025-11-26.csv", "EURUSD"],
  ["EURUSD_1 Min_Bid_2020.01.01_2020.12.31.csv", "EURUSD"],
  ["EURUSD-2019-01.zip", "EURUSD"],
  ["BTCUSDT-1m-2024-01.zip", "new BTCUSDT"],
  ["EURUSD1.csv", "EURUSD"],
  ["EURUSD1440.csv", "EURUSD"],
  ["EURUSDm5.csv", "EURUSD"],
  ["US3015.csv", "US30"],
  ["NAS1001440.csv", "NAS100"],
  ["US30.csv", "US30"],
  ["EURUSD_M1_202001020000_202012312359.csv", "EURUSD"],
  ["US30.cash_H1_202001020000_202012312359.csv", "US30"],
  ["EURUSD/2019/1.csv.gz", "EURUSD"],
  ["EURUSD/2019/1.zip/1.csv", "EURUSD"],
  ["oanda/minute/eurusd/20140502_quote.zip", "EURUSD"],
  ["usa/minute/aapl/20140502_quote.zip", "AAPL"],
  ["symbol=EURUSD/year=2024/part-00000-3f2ab1c0-c000.snappy.parquet", "EURUSD"],
  ["EUR_USD_2024.csv", "EURUSD"],
  ["eurusd_hour.csv", "EURUSD"],
  ["XAU_1h_data_2004_to_2024-09-20.csv", "XAUUSD"],
  ["OANDA_EURUSD, 60.csv", "EURUSD"],
  ["Copy of EURUSD_H1 (1).csv", "EURUSD"],
  ["EURUSD2020.csv", "EURUSD"],
  ["nas100_usd_m5.csv", "NAS100"],
  ["USDRUB_2022.csv", "new USDRUB"],
  ["AAPL.csv", "AAPL"],
  ["EURUSD_vs_GBPUSD.csv", "EURUSD or GBPUSD"],
  ["eur_usd_gbp_usd.csv", "EURUSD or GBPUSD"],
  ["oil.csv", "USOIL or UKOIL"],
  ["what_a_CAT_said.csv", "none"],
  ["EURUSD/other.csv", "none"],
  ["prices.csv", "none"],
  ["BTCUSD_PERP-1m-2024-01.csv", "new BTCUSD_PERP"],
  ["BTCUSD_240329-1m-2024-01.csv", "new BTCUSD_240329"],
  ["data/futures/um/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2024-01.zip", "new BTCUSDT_PERP"],
  ["BTC-USD-PERP.csv", "new BTC-USD-PERP"],
  ["BTC-USDT-SWAP_1m.csv", "new BTC-USDT-SWAP"],
  ["BINANCE_BTCUSDT.P, 1.csv", "new BTCUSDT.P"],
  ["FI_XBTUSD_240329.csv", "new FI_XBTUSD_240329"],
  ["BTC-29MAR24-45000-C.csv", "new BTC-29MAR24-45000-C"],
  ["BTCUSDH24_M1.csv", "new BTCUSDH24"],
  ["US30_Z6.csv", "new US30_Z6"],
  ["US30.cfd.csv", "new US30.cfd"],
  ["EURUSD1!.csv", "new EURUSD1!"],
  ["BTCUSDT_M1_perpetual.csv", "BTCUSDT or a contract on it"],
  ["BTCUSD_240131.csv", "BTCUSD or a contract on it"],
  ["EURUSD_240131.csv", "EURUSD"],
  ["BTCUSD_20240329.csv", "BTCUSD"],
  ["EURUSD_01JAN24_31JAN24.csv", "EURUSD"],
  ["EURUSD_Q1_2024.csv", "EURUSD"],
  ["EURUSD_M30_V2.csv", "EURUSD"],
])("The path %s tells the symbol %s", (path, symbol) => {
  const named = findNamedSymbol(path);
  const told = {
    found: () => (named.kind === "found" ? named.instrument.symbol : ""),
    unlisted: () => (named.kind === "unlisted" ? `new ${named.facts.spelling}` : ""),
    several: () => (named.kind === "several" ? named.symbols.join(" or ") : ""),
    none: () => "none",
  };
  expect(told[named.kind]()).toBe(symbol);
});

test.each([
  ["BTCUSDT-trades-2024-01.zip", "these are trades"],
  ["BTCUSDT-aggTrades-2024-01-03.csv", "these are trades"],
  ["20140502_trade.zip", "these are trades"],
  ["BTCUSDT-metrics-2024-01-03.zip", "no prices of a symbol"],
  ["DAT_NT_EURUSD_T_BID_202601.csv", "only one side"],
  ["EURUSD1.hst", "MetaTrader's own files"],
  ["EURUSD.feather", "write it as Parquet or csv"],
  ["DAT_XLSX_EURUSD_M1_2018.xlsx", "workbooks"],
])("The file %s is refused for what its name tells: %s", (name, sentence) => {
  expect(() => open(name, "1,2,3")).toThrow(sentence);
});

/** One tick of Dukascopy, with the bid 45000 and the ask 45010 in points. Packed by liblzma. */
const ONE_TICK = Buffer.from("XQAAgAD//////////wAAYAxSQRut/KpJcf9grEif/3z//dPtQA==", "base64");

function openHour(folder: string, decimals?: number) {
  const path = `${folder}/2024/00/15/10h_ticks.bi5`;
  return open(path, ONE_TICK, decimals);
}

test.each([
  ["COPPERCMDUSD", 4.5, "COPPER"],
  ["GASCMDUSD", 4.5, "NATGAS"],
  ["CHFCZK", 4.5, "CHFCZK"],
  ["GBPAUD", 0.45, "GBPAUD"],
  ["LIGHTCMDUSD", 45, "USOIL"],
  ["XAGUSD", 45, "XAGUSD"],
  ["BTCUSD", 4500, "BTCUSD"],
  ["XAUJPY", 4500, "XAUJPY"],
  ["CZKTRY", 0.045, "CZKTRY"],
  ["HKDJPY", 0.45, "HKDJPY"],
  ["AAPLUSUSD", 45, "AAPL"],
  ["7203JPJPY", 4500, "7203.JP-JPY"],
  ["COCOACMDUSD", 45, "COCOA.CMD-USD"],
])("Dukascopy's %s has the decimal point where Dukascopy publishes it: 45000 is %d", (folder, bid, symbol) => {
  const file = openHour(folder);
  const { rows } = file.open("UTC");
  rows.next();
  expect([file.symbol, rows.bid]).toEqual([symbol, bid]);
});

test("Dukascopy's prices whose decimals are unknown ask for --decimals", () => {
  for (const folder of ["XLMUSD", "EURTHB", "DOGEUSD"]) {
    expect(() => openHour(folder)).toThrow(`the decimals of Dukascopy's ${folder} are unknown: give the number`);
  }
  const { rows } = openHour("XLMUSD", 5).open("UTC");
  rows.next();
  expect(rows.bid).toBe(0.45);
});

/** Two bars of Dukascopy, packed by liblzma. */
const TWO_BARS = Buffer.from("XQAAgAD//////////wAAaP60Jl8fRcxYiWE0QBvYhiHUikX2uCvkpzRmpqo6Wtv76QEA", "base64");

test.each([
  ["EURUSD/2019/01/04/BID_candles_min_1.bi5", Date.UTC(2019, 1, 4)],
  ["EURUSD/2019/01/BID_candles_hour_1.bi5", Date.UTC(2019, 1, 1)],
  ["EURUSD/2019/BID_candles_day_1.bi5", Date.UTC(2019, 0, 1)],
])("Dukascopy's bars of %s begin where their folder says", (path, startMs) => {
  const [file] = openPriceFiles(`${writeFiles({ [path]: TWO_BARS })}/${path}`).files;
  const read: unknown[] = [];
  const { rows } = file!.open("UTC");
  while (rows.next()) read.push([rows.timeMs - startMs, rows.open, rows.high, rows.low, rows.close, rows.volume]);
  expect([file!.kind, file!.symbol, read]).toEqual([
    "bars",
    "EURUSD",
    [
      [0, 1.14543, 1.1457, 1.14542, 1.14569, 294],
      [60_000, 1.14569, 1.1458, 1.14565, 1.14575, 0],
    ],
  ]);
  const ask = path.replace("BID", "ASK");
  expect(() => openPriceFiles(`${writeFiles({ [ask]: TWO_BARS })}/${ask}`)).toThrow("bars of the ask");
});

test("A file with one bar has the timeframe that its name tells", () => {
  const bar = "2025.01.02,01:00,1.1,1.4,1.0,1.2,9";
  expect(findTimeframe(open("EURUSD60.csv", bar), "UTC").timeframe).toBe("H1");
  expect(findTimeframe(open("EURUSD_1 Min_Bid_2025.01.02.csv", bar), "UTC").timeframe).toBe("M1");
  expect(() => findTimeframe(open("EURUSD.csv", bar), "UTC")).toThrow("fewer than two bars");
});

test("The timeframe of bars is their usual distance in any order, and a file whose bars begin at different minutes is refused", () => {
  const bars = (minutes: readonly number[]) => {
    const rows = minutes.map(
      (minute) => `2025-01-02 ${String(Math.floor(minute / 60))}:${String(minute % 60).padStart(2, "0")},1,1,1,1`,
    );
    return open("x.csv", `time,open,high,low,close\n${rows.join("\n")}\n`);
  };
  expect(findTimeframe(bars([7, 2, 9, 4, 1, 8, 3, 6, 5]), "UTC").timeframe).toBe("M1");
  expect(() => findTimeframe(bars([1, 6, 14, 19, 27, 32, 43]), "UTC")).toThrow("but begin at different ones");
});

test("Rows of two timeframes in one file are refused, behind each other or mixed", () => {
  const row = (minute: number, price: number) =>
    `${new Date(Date.UTC(2024, 0, 2) + minute * 60_000).toISOString()},${price},${price},${price},${price}`;
  const text = (...rows: readonly string[]) => open("EURUSD.csv", ["time,open,high,low,close", ...rows].join("\n"));
  const hours = Array.from({ length: 12 }, (_, i) => row(i * 60, 1.1));
  const minutes = Array.from({ length: 300 }, (_, i) => row(720 + i, 1.1));
  expect(() => findTimeframe(text(...hours, ...minutes), "UTC")).toThrow(
    "its bars are of 1 hour from line 2 on, and of 1 minute from line 14 on",
  );
  expect(() => findTimeframe(text(...minutes, ...hours), "UTC")).toThrow("of 1 hour");
  const mixed = [0, 1, 2, 3].flatMap((hour) => [
    row(hour * 60, 1.2),
    ...minutes.slice(0, 60).map((_, i) => row(hour * 60 + i, 1.1)),
  ]);
  expect(() => findTimeframe(text(...mixed), "UTC")).toThrow("4 of its first bars have the time of another");
  const holes = Array.from({ length: 200 }, (_, i) => row(i + Math.floor(i / 7) * 53, 1.1));
  expect(findTimeframe(text(...holes, ...holes.slice(0, 5)), "UTC").timeframe).toBe("M1");
});

test("Bars of another length are refused with their distance, and those of a market with few trades name --timeframe", () => {
  const bars = (seconds: number) => {
    const time = (i: number) => new Date(Date.UTC(2024, 0, 2) + i * seconds * 1_000).toISOString();
    const rows = Array.from({ length: 9 }, (_, i) => `${time(i)},1,1,1,1`);
    return () => findTimeframe(open("EURUSD.csv", `time,open,high,low,close\n${rows.join("\n")}`), "UTC");
  };
  expect(bars(10)).toThrow("its bars are 10 seconds apart: expected");
  expect(bars(120)).toThrow("its bars are 2 minutes apart");
  expect(bars(120)).toThrow("give their length, such as --timeframe M1");
  expect(bars(14_400)).toThrow("its bars are 4 hours apart");
  expect(bars(86_400)).toThrow("its bars are 1 day apart");
});

test("HistData's files for MetaStock are New York's, as its others", () => {
  const heading = "<TICKER>,<DTYYYYMMDD>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>";
  const file = open("DAT_MS_EURUSD_M1_2024.csv", `${heading}\nEURUSD,20240131,170000,1.1,1.4,1.0,1.2,0\n`);
  expect([file.format, file.zone]).toEqual(["histdata", "America/New_York"]);
});

test("Rows are bars or ticks by most of them, and neither if too many differ", () => {
  const bar = "2025-01-02 01:00,1.1,1.4,1.0,1.2\n";
  const lost = "2025-01-02 01:00,1.1,1.11,???,1.2\n";
  expect(open("x.csv", `${bar.repeat(9)}${lost}`).kind).toBe("bars");
  expect(() => open("x.csv", `${bar.repeat(3)}${lost}`)).toThrow("do not tell bars from ticks");
});

test("Bars longer than an hour, or of other lengths, are refused", () => {
  const days = "time,open,high,low,close\n2025-01-02,1,1,1,1\n2025-01-03,1,1,1,1";
  expect(() => findTimeframe(open("x.csv", days), "UTC")).toThrow("1 day apart: expected bars of M1, M5");
});
