import { gzipSync, strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { findTimeframe } from "@/lib/feeds/files/file-names";
import { openPriceFile } from "@/lib/feeds/files/open-price-file";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

function open(name: string, content: string | Uint8Array) {
  return openPriceFile(`${writeFiles({ [name]: content })}/${name}`);
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
  expect([file.format, file.kind, findTimeframe(file, zone)]).toEqual([format, "bars", timeframe]);
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
  ["BID_candles_min_1.bi5", "]\0\0", "candles are not read"],
  ["x.zip", zipSync({ "a.exe": strToU8("x") }), "no csv file"],
  ["x.zip", zipSync({ "a.csv": strToU8(ZIPPED) }).subarray(0, 50), "archive is damaged or ends too early"],
])("The file %s with %j is refused in a sentence", (name, content, sentence) => {
  expect(() => open(name, content)).toThrow(sentence);
});

test("Bars longer than an hour, or of other lengths, are refused", () => {
  const days = "time,open,high,low,close\n2025-01-02,1,1,1,1\n2025-01-03,1,1,1,1";
  expect(() => findTimeframe(open("x.csv", days), "UTC")).toThrow("1440 minutes apart: expected bars of M1, M5");
});
