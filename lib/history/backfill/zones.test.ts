import { describe, expect, test } from "vitest";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { BARS_WANTED, type PastBars, readPastBars } from "@/lib/history/backfill/zones";
import { instruments } from "@/lib/market/catalog";
import { getBarEnd, getBarStart, TIMEFRAMES } from "@/lib/market/timeframe";

const NOON = Date.UTC(2026, 10, 18, 12);

function readPast(symbol: string, hours: "always" | "market"): PastBars {
  const feed = createSimulatedFeed({ seed: "test", hours, instruments, now: () => NOON });
  return readPastBars((fromMs, toMs, stepMs) => feed.history(symbol, "alpha-markets", fromMs, toMs, stepMs), {
    endMs: NOON,
  });
}

describe.each([
  ["EURUSD", "always"],
  ["EURUSD", "market"],
  ["AAPL", "market"],
] as const)("the past of %s, trading in %s hours", (symbol, hours) => {
  const bars = readPast(symbol, hours);

  test.each(TIMEFRAMES)("There are enough bars of %s, each once, in order, at its start", (timeframe) => {
    const times = bars[timeframe].map(({ timeMs }) => timeMs);
    expect(times.length).toBeGreaterThanOrEqual(BARS_WANTED);
    expect(times.every((timeMs) => getBarStart(timeframe, timeMs) === timeMs)).toBe(true);
    expect(times.every((timeMs, at) => at === 0 || timeMs > (times[at - 1] ?? 0))).toBe(true);
  });

  test("Few bars consist of a single price", () => {
    for (const timeframe of TIMEFRAMES) {
      const flat = bars[timeframe].filter(({ high, low }) => high === low);
      expect(flat.length / bars[timeframe].length).toBeLessThan(0.02);
    }
  });

  test.each(TIMEFRAMES.slice(1).map((longer, at) => [TIMEFRAMES[at] ?? "M1", longer] as const))(
    "Every bar of %s lies within one of %s, and together they equal it",
    (shorter, longer) => {
      const firstMs = bars[shorter][0]?.timeMs ?? Infinity;
      const covered = bars[longer].filter(({ timeMs }) => timeMs >= firstMs);
      // The shorter bars are in order, so one pass finds those of each longer one.
      let at = 0;
      const joined = covered.map(({ timeMs }) => {
        const endMs = getBarEnd(longer, timeMs);
        while ((bars[shorter][at]?.timeMs ?? Infinity) < timeMs) at++;
        const firstAt = at;
        while ((bars[shorter][at]?.timeMs ?? Infinity) < endMs) at++;
        const within = bars[shorter].slice(firstAt, at);
        return {
          timeMs,
          open: within[0]?.open,
          high: Math.max(...within.map(({ high }) => high)),
          low: Math.min(...within.map(({ low }) => low)),
          close: within.at(-1)?.close,
          volume: within.reduce((sum, { volume }) => sum + volume, 0),
        };
      });
      expect(covered).toEqual(joined);
    },
  );
});
