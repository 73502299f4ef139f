import { describe, expect, test } from "vitest";
import { readRecordedTicks, type RecordingProblem } from "@/lib/feeds/replay/recording";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

/** Made by another encoder (liblzma), in Dukascopy's format but with an end marker in place of the size. */
const file = (base64: string) => Buffer.from(base64, "base64");
/** 218 ms: ask 111815, bid 111812; 3,599,999 ms: ask 111817, bid 111812. */
const twoTicks = file("XQAAgAAoAAAAAAAAAAAAaDTfJhtZuZeNaH/ytpHFr4EH8Ab2UhuNrT3Ir4Kw/IszwA==");
/** 0 ms: ask 123456, bid 123450. */
const oneTick = file("XQAAgAD//////////wAAaP64YHUq4ZM5/aMBNFOZyQBORP/7OmwA");
const thirtyZeros = file("XQAAgAD//////////wAAbhVPo9///4ACAAA=");

function read(files: Readonly<Record<string, string | Uint8Array>>, fromMs?: number) {
  const problems: RecordingProblem[] = [];
  const options = {
    dir: writeFiles(files),
    zones: {},
    fromMs,
    onProblem: (entry: RecordingProblem) => problems.push(entry),
  };
  const ticks = Array.from(readRecordedTicks(options), ({ source, brokerSymbol, timeMs, bid, ask }) => [
    `${source} ${brokerSymbol} ${new Date(timeMs).toISOString()}`,
    bid,
    ask,
  ]);
  return { ticks, problems: problems.map(({ path, error }) => [path.slice(-12), error?.message]) };
}

describe("Dukascopy's hour files", () => {
  test("are read in UTC, with months counted from 00 and the ask first", () => {
    const { ticks, problems } = read({
      "dukascopy/EURUSD/2019/01/04/10h_ticks.bi5": twoTicks,
      "dukascopy/EURUSD/2019/01/04/09h_ticks.bi5": oneTick,
    });
    expect(problems).toEqual([]);
    expect(ticks).toEqual([
      ["dukascopy EURUSD 2019-02-04T09:00:00.000Z", 1.2345, 1.23456],
      ["dukascopy EURUSD 2019-02-04T10:00:00.218Z", 1.11812, 1.11815],
      ["dukascopy EURUSD 2019-02-04T10:59:59.999Z", 1.11812, 1.11817],
    ]);
  });

  test("have the decimals that Dukascopy gives each instrument", () => {
    const { ticks } = read({
      "d/GBPJPY/2019/00/01/00h_ticks.bi5": oneTick,
      "d/BTCUSD/2019/00/01/00h_ticks.bi5": oneTick,
      "d/XAUUSD/2019/00/01/00h_ticks.bi5": oneTick,
    });
    expect(ticks.map(([, bid, ask]) => [bid, ask])).toEqual([
      [12_345, 12_345.6],
      [123.45, 123.456],
      [123.45, 123.456],
    ]);
  });

  test("are refused when the decimals are unknown or the file is not an hour of ticks", () => {
    const { ticks, problems } = read({
      "d/NOSUCHTHING/2019/00/01/00h_ticks.bi5": oneTick,
      "d/DOGEUSD/2019/00/01/00h_ticks.bi5": oneTick,
      "d/EURUSD/2019/00/01/00h_ticks.bi5": "no archive at all",
      "d/EURUSD/2019/00/01/01h_ticks.bi5": thirtyZeros,
      "d/EURUSD/2019/00/01/02h_ticks.bi5": oneTick,
    });
    expect(ticks).toHaveLength(1);
    expect(problems.map(([, message]) => message)).toEqual([
      "the decimals of Dukascopy's DOGEUSD are unknown",
      expect.any(String),
      "not an hour of ticks: the last record is incomplete",
      "the decimals of Dukascopy's NOSUCHTHING are unknown",
    ]);
  });

  test("may be empty, and are not opened when they end before the start", () => {
    const files = {
      "d/EURUSD/2019/00/01/00h_ticks.bi5": "this hour is never opened",
      "d/EURUSD/2019/00/01/01h_ticks.bi5": "",
      "d/EURUSD/2019/00/01/02h_ticks.bi5": oneTick,
    };
    const { ticks, problems } = read(files, Date.UTC(2019, 0, 1, 1));
    expect([ticks.length, problems]).toEqual([1, []]);
  });
});
