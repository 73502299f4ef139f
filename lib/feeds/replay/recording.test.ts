import { describe, expect, test } from "vitest";
import { readRecordedTicks, type RecordingProblem } from "@/lib/feeds/replay/recording";
import { writeRecording } from "@/lib/feeds/replay/recording.fixture";
import { HOUR_MS } from "@/lib/time/units";

const MAY_2 = Date.UTC(2014, 4, 2);

describe("a recording", () => {
  test("merges every broker, symbol and day in time order", () => {
    const dir = writeRecording({
      "forex/oanda/tick/eurusd/20140502": "100,1.1,1.2\n300,1.3,1.4",
      "forex/oanda/tick/eurusd/20140503": "50,1.5,1.6",
      "cfd/oanda/tick/xauusd/20140502": "200.75,1284.1,1284.4",
      "forex/fxcm/tick/eurusd/20140502": "100,1.1,1.2\n86399999,1.7,1.8",
    });
    const read = Array.from(readRecordedTicks({ dir, zones: {} }), ({ source, brokerSymbol, timeMs }) => [
      `${source} ${brokerSymbol}`,
      timeMs - MAY_2,
    ]);
    expect(read).toEqual([
      ["fxcm eurusd", 100],
      ["oanda eurusd", 100],
      ["oanda xauusd", 200],
      ["oanda eurusd", 300],
      ["fxcm eurusd", 86_399_999],
      ["oanda eurusd", 86_400_050],
    ]);
  });

  test("reads each broker's times in its own zone, daylight saving included", () => {
    const atNoon = `${12 * HOUR_MS},1.1,1.2`;
    const dir = writeRecording({
      "forex/fixed/tick/eurusd/20140502": atNoon,
      "forex/local/tick/eurusd/20140502": atNoon,
      "forex/local/tick/eurusd/20140309": `3600000,1,2\n${3.5 * HOUR_MS},1,2`,
      "forex/plain/tick/eurusd/20140502": atNoon,
    });
    const zones = { fixed: "Etc/GMT+5", local: "America/New_York" };
    const read = Array.from(readRecordedTicks({ dir, zones }), ({ source, timeMs }) => [
      source,
      new Date(timeMs).toISOString().slice(5, 16),
    ]);
    expect(read).toEqual([
      ["local", "03-09T06:00"],
      ["local", "03-09T07:30"],
      ["plain", "05-02T12:00"],
      ["local", "05-02T16:00"],
      ["fixed", "05-02T17:00"],
    ]);
  });

  test("begins at `fromMs`, in the middle of a day", () => {
    const dir = writeRecording({
      "forex/oanda/tick/eurusd/20140501": "this day is never opened",
      "forex/oanda/tick/eurusd/20140502": "100,1,2\n200,3,4\n300,5,6",
    });
    const problems: RecordingProblem[] = [];
    const options = {
      dir,
      zones: {},
      fromMs: MAY_2 + 200,
      onProblem: (problem: RecordingProblem) => problems.push(problem),
    };
    expect(Array.from(readRecordedTicks(options), ({ bid }) => bid)).toEqual([3, 5]);
    expect(problems).toEqual([]);
  });

  test("reports damaged files and malformed rows, and reads the rest", () => {
    const dir = writeRecording({
      "forex/oanda/tick/eurusd/20140501": new TextEncoder().encode("no archive"),
      "forex/oanda/tick/eurusd/20140502": "100,1,2\nmalformed\n200,3,4\nas well",
      "forex/oanda/tick/notes/readme": "not a day",
    });
    const problems: RecordingProblem[] = [];
    const bids = Array.from(
      readRecordedTicks({ dir, zones: {}, onProblem: (problem) => problems.push(problem) }),
      ({ bid }) => bid,
    );
    expect(bids).toEqual([1, 3]);
    expect(problems.map(({ source, malformedRows, error }) => [source, malformedRows, error?.message])).toEqual([
      ["oanda", 0, "not a zip archive, or an empty one"],
      ["oanda", 2, undefined],
    ]);
  });
});
