import { describe, expect, test } from "vitest";
import { remember, runIndicator } from "@/lib/analytics/indicators/run";
import { getIndicator } from "@/lib/api/indicators/indicator-lookup";
import { checkRange, countBars, readPastReadings } from "@/lib/api/indicators/latest-values";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const bars: readonly Bar[] = Array.from({ length: 2_000 }, (_, at) => {
  const close = 100 + 10 * Math.sin(at / 7) + Math.sin(at);
  return { timeMs: at * MINUTE_MS, open: close, high: close + 0.1, low: close - 0.1, close, volume: 1 };
});
const forming = bars.at(-1) as Bar;
const closed = bars.slice(0, -1);

/** An implementation of `BarHistory` in memory. */
const history: BarHistory = {
  readSeries: () => ({
    closed: closed.slice(-1_000),
    past: remember(null, closed.slice(0, -1_000)),
    holes: [],
    forming,
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

const instrument = instrumentBySymbol.get("EURUSD") as Instrument;
const average = getIndicator("RSI_14");
const read = (range: { fromMs?: number; toMs?: number; limit: number }) =>
  readPastReadings(history, instrument, "M1", { fromMs: undefined, toMs: undefined, ...range }, [average]);

describe("past readings", () => {
  test("are the latest closed bars without a range, and never the filling bar", async () => {
    const { bars: found } = await read({ limit: 5 });
    expect(found).toEqual(closed.slice(-5));
  });

  test("begin at `from`, and end before `to`", async () => {
    expect((await read({ fromMs: 100 * MINUTE_MS, limit: 3 })).bars).toEqual(bars.slice(100, 103));
    expect((await read({ fromMs: 100 * MINUTE_MS, toMs: 102 * MINUTE_MS, limit: 3 })).bars).toEqual(
      bars.slice(100, 102),
    );
    expect((await read({ toMs: 102 * MINUTE_MS, limit: 3 })).bars).toEqual(bars.slice(99, 102));
    expect((await read({ fromMs: 1_997 * MINUTE_MS, limit: 9 })).bars).toEqual(closed.slice(1_997));
  });

  test("equal the values computed from the whole history", async () => {
    const whole = runIndicator(average, bars);
    const { values } = await read({ fromMs: 1_200 * MINUTE_MS, limit: 50 });
    expect(values[0]).toEqual(whole.slice(1_200, 1_250));
  });

  test("are null before the warm-up is over", async () => {
    const { values } = await read({ fromMs: 0, limit: 16 });
    expect(values[0]?.slice(0, 14)).toEqual(Array.from({ length: 14 }, () => null));
    expect(values[0]?.[14]).toEqual(expect.any(Number));
  });

  test("are empty for a range without bars", async () => {
    expect(await read({ fromMs: 9_000 * MINUTE_MS, limit: 16 })).toEqual({
      bars: [],
      values: [[]],
      holes: [],
      nextMs: null,
    });
  });

  test("do not depend on how much is read before a hole, and name it where it is shown", async () => {
    const at = 1_000;
    const gapMs = 30 * DAY_MS;
    const apart = bars.map((bar, index) => (index < at ? bar : { ...bar, timeMs: bar.timeMs + gapMs }));
    const [first, after] = [apart[at - 1] as Bar, apart[at] as Bar];
    const holed: BarHistory = {
      readSeries: () => ({ closed: apart, past: null, holes: [], forming: null }),
      loadAll: () => Promise.resolve(),
      readRange: (_symbol, _timeframe, { fromMs = 0, limit }) =>
        Promise.resolve(apart.filter(({ timeMs }) => timeMs >= fromMs).slice(0, limit)),
      // A memory that ends right before the hole, or the bars before it.
      readBefore: (_symbol, _timeframe, { toMs, count }) => {
        const earlier = apart.filter(({ timeMs }) => timeMs < toMs);
        const cut = toMs === after.timeMs ? 0 : count;
        const [remembered, read] = [earlier.slice(0, earlier.length - cut), earlier.slice(earlier.length - cut)];
        const pastMs = remembered.at(-1)?.timeMs ?? null;
        return Promise.resolve({ closed: read, past: remember(null, remembered), pastMs });
      },
    };
    const alone = runIndicator(average, bars.slice(at)).slice(0, 30);
    const readFrom = (fromMs: number, limit: number) =>
      readPastReadings(holed, instrument, "M1", { fromMs, toMs: undefined, limit }, [average]);
    const [behind, across] = [await readFrom(after.timeMs, 30), await readFrom(first.timeMs, 31)];
    expect(behind.values[0]).toEqual(alone);
    expect(across.values[0]?.slice(1)).toEqual(alone);
    expect(across.holes).toMatchObject([{ fromMs: first.timeMs + MINUTE_MS, untilMs: after.timeMs }]);
    expect(behind.holes).toHaveLength(1);
    expect((await readFrom(after.timeMs + 500 * MINUTE_MS, 30)).holes).toEqual([]);
  });
});

describe("a range", () => {
  test("must end after it begins", () => {
    expect(() => checkRange(1, 2)).not.toThrow();
    expect(() => checkRange(undefined, 2)).not.toThrow();
    expect(() => checkRange(2, 2)).toThrow(expect.objectContaining({ code: "INVALID_RANGE" }));
  });

  test("is measured in bars of the timeframe, including started ones", () => {
    expect(countBars("M5", 0, 5 * MINUTE_MS)).toBe(1);
    expect(countBars("M5", 0, 5 * MINUTE_MS + 1)).toBe(2);
    expect(countBars("D1", 0, DAY_MS * 10)).toBe(10);
    expect(countBars("W1", 0, DAY_MS * 14)).toBe(2);
  });
});
