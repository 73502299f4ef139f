import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readRecordedTicks, type RecordingProblem } from "@/lib/feeds/replay/recording";
import { writeFiles } from "@/lib/feeds/replay/recording.fixture";

function read(files: Readonly<Record<string, string | Uint8Array>>, zones: Readonly<Record<string, string>> = {}) {
  const problems: RecordingProblem[] = [];
  const dir = writeFiles(files);
  const ticks = readRecordedTicks({ dir, zones, onProblem: (entry) => problems.push(entry) });
  const read = Array.from(ticks, ({ timeMs, bid, ask }) => [new Date(timeMs).toISOString(), bid, ask]);
  return { read, malformed: problems.reduce((sum, { malformedRows }) => sum + malformedRows, 0) };
}

describe("openCsvRows", () => {
  test.each([
    ["HistData", "20200101 170000065,1.121200,1.121720,0", "2020-01-01T22:00:00.065Z"],
    ["HistData in summer", "20200701 170000065,1.121200,1.121720,0", "2020-07-01T21:00:00.065Z"],
    ["TrueFX", "EUR/USD,20130101 22:00:00.295,1.1212,1.12172", "2013-01-01T22:00:00.295Z"],
    ["ISO with an offset", "2013-01-01 22:00:00.295000+02:00,1.1212,1.12172", "2013-01-01T20:00:00.295Z"],
    ["ISO in UTC", "2019-01-01T23:00:00.078Z,1.1212,1.12172", "2019-01-01T23:00:00.078Z"],
    ["ISO without a zone", "2019-01-01T23:00:00,1.1212,1.12172,3,4", "2019-01-01T23:00:00.000Z"],
    ["dots, as terminals write", "2019.01.01 23:00:00.5,1.1212,1.12172", "2019-01-01T23:00:00.500Z"],
    ["Unix milliseconds", "1546383600078,1.1212,1.12172", "2019-01-01T23:00:00.078Z"],
  ])("reads ticks as %s writes them", (_, line, time) => {
    expect(read({ "a/EURUSD/ticks.csv": line })).toEqual({ read: [[time, 1.1212, 1.12172]], malformed: 0 });
  });

  test("reads times in the given zone, unless the file names one", () => {
    const lines = "20200701 170000065,1,2,0\n2020-07-02T12:00:00,1,2\n2020-07-03T12:00:00Z,1,2";
    const { read: ticks } = read({ "a/EURUSD/ticks.csv": lines }, { a: "Etc/GMT+5" });
    expect(ticks.map(([time]) => time)).toEqual([
      "2020-07-01T22:00:00.065Z",
      "2020-07-02T17:00:00.000Z",
      "2020-07-03T12:00:00.000Z",
    ]);
  });

  test("skips a heading, blank lines and carriage returns, and counts malformed rows", () => {
    const bad = ["2019-02-30T00:00:00Z,1,2", "2019-01-01T24:00:01Z,1,2", "1546383600078,1,-2", "1546383600078,1", "x"];
    const lines = ["timestamp,bid,ask", "1546383600078,1,2", "", ...bad, "1546383600079,1,2"];
    expect(read({ "a/EURUSD/t.csv": lines.join("\r\n") })).toMatchObject({
      read: [{}, {}].map(() => expect.any(Array)),
      malformed: bad.length,
    });
  });

  test("reads files in the order of their names, zipped or not", () => {
    const zip = zipSync({ "DAT_ASCII_EURUSD_T_202002.csv": strToU8("20200201 000000000,3,4,0") });
    const files = { "a/EURUSD/T202001.csv": "20200101 000000000,1,2,0", "a/EURUSD/T202002.zip": zip };
    expect(read(files).read.map(([, bid]) => bid)).toEqual([1, 3]);
  });
});
