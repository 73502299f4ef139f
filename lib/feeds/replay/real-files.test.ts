import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeLzma } from "@/lib/feeds/files/lzma";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { readRecordedTicks } from "@/lib/feeds/replay/recording";
import { MINUTE_MS } from "@/lib/time/units";

/** Real files of Dukascopy, HistData and TrueFX; the expected counts were computed from the files by other programs. */

const realData = findRealData();
const FEBRUARY_4 = Date.UTC(2019, 1, 4);

interface Seen {
  readonly timeMs: number;
  readonly bid: number;
  readonly ask: number;
}

describe.skipIf(realData === undefined)("recorded files of vendors", () => {
  const ticks = join(realData ?? "", "ticks");
  const series = new Map<string, Seen[]>();
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "recording-"));
    symlinkSync(join(ticks, "dukascopy_theorycraft"), join(dir, "duka-a"));
    symlinkSync(join(ticks, "dukascopy_ninety47"), join(dir, "duka-b"));
    const texts = [
      ["histdata/EURUSD", "quote_tick_data.csv"],
      ["iso/EURUSD", "quote_tick_eurusd_2019_sim.csv"],
      ["iso/USDJPY", "quote_tick_usdjpy_2019_sim.csv"],
      ["truefx/USDJPY", "truefx/usdjpy-ticks.csv"],
    ] as const;
    for (const [folder, file] of texts) {
      mkdirSync(join(dir, folder), { recursive: true });
      symlinkSync(join(ticks, "nautilus", file), join(dir, folder, "ticks.csv"));
    }
    const onProblem = (problem: unknown) => expect(problem).toBeUndefined();
    for (const { source, brokerSymbol, timeMs, bid, ask } of readRecordedTicks({ dir, zones: {}, onProblem })) {
      const name = `${source} ${brokerSymbol}`;
      const seen = series.get(name) ?? [];
      series.set(name, seen);
      seen.push({ timeMs, bid, ask });
    }
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test.each([
    ["histdata EURUSD", 9_500, "2020-01-01T22:00:00.065Z"],
    ["iso EURUSD", 10_000, "2019-01-01T23:00:00.078Z"],
    ["iso USDJPY", 10_000, "2019-01-01T23:00:00.071Z"],
    ["truefx USDJPY", 1_000, "2013-01-01T22:00:00.295Z"],
  ])("of %s are read from their first time to the last row", (name, rows, first) => {
    const seen = series.get(name) ?? [];
    expect(seen).toHaveLength(rows);
    expect(new Date(seen[0]?.timeMs ?? 0).toISOString()).toBe(first);
  });

  test("of Dukascopy's EURUSD yield the vendor's own minute bars, 180 of 180, bid and ask", () => {
    const seen = series.get("duka-a EURUSD") ?? [];
    const path = join(ticks, "dukascopy_theorycraft/EURUSD/2019/01/04");
    const minutes = new Map<number, Seen[]>();
    for (const tick of seen) {
      const startMs = tick.timeMs - (tick.timeMs % MINUTE_MS);
      const minute = minutes.get(startMs) ?? [];
      minutes.set(startMs, minute);
      minute.push(tick);
    }
    for (const side of ["bid", "ask"] as const) {
      const vendor = readCandles(join(path, `${side.toUpperCase()}_candles_min_1.bi5`));
      const equal = vendor.filter(({ timeMs, ...prices }) => {
        const minute = minutes.get(timeMs) ?? [];
        const all = minute.map((tick) => tick[side]);
        const own = { open: all[0], close: all.at(-1), low: Math.min(...all), high: Math.max(...all) };
        return minute.length > 0 && JSON.stringify(own) === JSON.stringify(prices);
      });
      expect(equal).toHaveLength(180);
    }
  });

  test("of Dukascopy's GBPJPY have three decimals, a Sunday evening's opening and a normal price", () => {
    const seen = series.get("duka-b GBPJPY") ?? [];
    expect(seen).toHaveLength(62_602);
    expect(seen.every(({ bid, ask }) => bid > 131 && ask < 133 && bid <= ask)).toBe(true);
    expect(new Date(seen[0]?.timeMs ?? 0).toISOString().slice(0, 13)).toBe("2012-12-02T22");
  });
});

/** Dukascopy's candles of one day: second of the day, open, close, low, high in 10^-5, volume. */
function readCandles(path: string) {
  const bytes = decodeLzma(readFileSync(path));
  const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length / 24 }, (_, at) => {
    const price = (field: number) => records.getInt32(at * 24 + field * 4) / 100_000;
    const timeMs = FEBRUARY_4 + records.getInt32(at * 24) * 1_000;
    return { timeMs, open: price(1), close: price(2), low: price(3), high: price(4) };
  });
}
