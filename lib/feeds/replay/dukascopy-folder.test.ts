import { compress } from "#lzma1";
import { describe, expect, it } from "vitest";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";
import type { RecordingProblem } from "@/lib/feeds/replay/recorded-series";

type Row = readonly [ms: number, ask: number, bid: number];

function bi5(...rows: Row[]): Uint8Array {
  const records = new DataView(new ArrayBuffer(rows.length * 20));
  for (const [at, row] of rows.entries()) row.forEach((value, field) => records.setUint32(at * 20 + field * 4, value));
  return compress(new Uint8Array(records.buffer));
}

function read(files: Readonly<Record<string, string | Uint8Array>>, fromMs?: number) {
  const problems: RecordingProblem[] = [];
  const options = { dir: writeFiles(files), zones: {}, fromMs, onProblem: (it: RecordingProblem) => problems.push(it) };
  const ticks = Array.from(readRecordedTicks(options), ({ source, brokerSymbol, timeMs, bid, ask }) => [
    `${source} ${brokerSymbol} ${new Date(timeMs).toISOString()}`,
    bid,
    ask,
  ]);
  return { ticks, problems: problems.map(({ path, error }) => [path.slice(-12), error?.message]) };
}

describe("Dukascopy's hours", () => {
  it("are read in UTC, with months counted from 00 and the ask first", () => {
    const { ticks, problems } = read({
      "dukascopy/EURUSD/2019/01/04/10h_ticks.bi5": bi5([218, 111_815, 111_812], [3_599_999, 111_817, 111_812]),
      "dukascopy/EURUSD/2019/01/04/09h_ticks.bi5": bi5([0, 111_800, 111_799]),
    });
    expect(problems).toEqual([]);
    expect(ticks).toEqual([
      ["dukascopy EURUSD 2019-02-04T09:00:00.000Z", 1.11799, 1.118],
      ["dukascopy EURUSD 2019-02-04T10:00:00.218Z", 1.11812, 1.11815],
      ["dukascopy EURUSD 2019-02-04T10:59:59.999Z", 1.11812, 1.11817],
    ]);
  });

  it("have the decimals that Dukascopy gives each instrument", () => {
    const hour = bi5([0, 123_456, 123_450]);
    const { ticks } = read({
      "d/GBPJPY/2019/00/01/00h_ticks.bi5": hour,
      "d/BTCUSD/2019/00/01/00h_ticks.bi5": hour,
      "d/XAUUSD/2019/00/01/00h_ticks.bi5": hour,
    });
    expect(ticks.map(([, bid, ask]) => [bid, ask])).toEqual([
      [12_345, 12_345.6],
      [123.45, 123.456],
      [123.45, 123.456],
    ]);
  });

  it("are refused where the decimals are not known, or the file is no such hour", () => {
    const { ticks, problems } = read({
      "d/NOSUCHTHING/2019/00/01/00h_ticks.bi5": bi5([0, 2, 1]),
      "d/DOGEUSD/2019/00/01/00h_ticks.bi5": bi5([0, 2, 1]),
      "d/EURUSD/2019/00/01/00h_ticks.bi5": "no archive at all",
      "d/EURUSD/2019/00/01/01h_ticks.bi5": compress(new Uint8Array(30)),
      "d/EURUSD/2019/00/01/02h_ticks.bi5": bi5([0, 111_815, 111_812]),
    });
    expect(ticks).toHaveLength(1);
    expect(problems.map(([, message]) => message)).toEqual([
      "the decimals of Dukascopy's DOGEUSD are not known",
      expect.any(String),
      "not an hour of ticks: its records are not whole",
      "the decimals of Dukascopy's NOSUCHTHING are not known",
    ]);
  });

  it("may be empty, and are not opened when they end before the start", () => {
    const files = {
      "d/EURUSD/2019/00/01/00h_ticks.bi5": "this hour is never opened",
      "d/EURUSD/2019/00/01/01h_ticks.bi5": "",
      "d/EURUSD/2019/00/01/02h_ticks.bi5": bi5([5, 111_815, 111_812]),
    };
    const { ticks, problems } = read(files, Date.UTC(2019, 0, 1, 1));
    expect([ticks.length, problems]).toEqual([1, []]);
  });
});
