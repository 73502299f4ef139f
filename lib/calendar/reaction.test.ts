import { expect, test } from "vitest";
import { findUsualReach, getMedian, measureMove } from "@/lib/calendar/measure-move";
import { findMainPairs, Moves } from "@/lib/calendar/reaction";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const RELEASE_MS = Date.UTC(2026, 10, 12, 13, 30);
const LATER_MS = RELEASE_MS + HOUR_MS;

/** Bars whose close is `price(minute)`, the minute being that of their end after the release. */
function createBars(barMinutes: number, price: (minute: number) => number): Bar[] {
  const bars: Bar[] = [];
  for (let end = -30; end <= 30; end += barMinutes) {
    const [open, close] = [price(end - barMinutes), price(end)];
    const timeMs = RELEASE_MS + (end - barMinutes) * MINUTE_MS;
    bars.push({ timeMs, open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 1 });
  }
  return bars;
}

/** Quiet at 1.1, then 20 pips up from the minute after the release on. */
const jump = (minute: number) => (minute <= 0 ? 1.1 : 1.102);
const minutes = Array.from({ length: 60 }, (_, index) => ({
  startMs: RELEASE_MS + (index - 30) * MINUTE_MS,
  // 0.8 pips, and 4 pips in the minute before the release.
  median: index === 29 ? 0.0004 : 0.00008,
}));

test("A move is measured from the last price before the release", () => {
  const prices = { bars: createBars(1, jump), barMinutes: 1, minutes, nowMs: LATER_MS } as const;
  const move = measureMove(RELEASE_MS, prices, EURUSD);
  expect(move?.path).toHaveLength(61);
  expect([0, 30, 31, 60].map((at) => move?.path[at])).toEqual([0, 0, 20, 20]);
  expect(move).toMatchObject({ rangeBefore: 0, rangeAfter: 20, spread: { before: 0.8, widest: 4 } });
});

/** Up 8 pips in the first minute, then down to 30 pips below, and 12 below at the end. */
const swing = (minute: number) => 1.1 + (minute <= 0 ? 0 : minute === 1 ? 8 : minute === 10 ? -30 : -12) / 10_000;

test("The first minutes after a release have their move and range, and the farthest point its direction", () => {
  const prices = { bars: createBars(1, swing), barMinutes: 1, minutes: [], nowMs: LATER_MS } as const;
  expect(measureMove(RELEASE_MS, prices, EURUSD)).toMatchObject({
    reference: 1.1,
    first: [
      { minutes: 1, pips: 8, range: 8 },
      { minutes: 5, pips: -12, range: 20 },
      { minutes: 30, pips: -12, range: 38 },
    ],
    reach: -30,
  });
  const fives = { ...prices, bars: createBars(5, swing), barMinutes: 5 } as const;
  expect(measureMove(RELEASE_MS, fives, EURUSD)?.first[0]).toEqual({ minutes: 1, pips: null, range: null });
});

test("Of a release that is not over, only the minutes that have passed are measured", () => {
  const at = (minute: number, last = minute) => {
    const nowMs = RELEASE_MS + minute * MINUTE_MS;
    const bars = createBars(1, swing).filter(({ timeMs }) => timeMs < RELEASE_MS + last * MINUTE_MS);
    const move = measureMove(RELEASE_MS, { bars, barMinutes: 1, minutes: [], nowMs }, EURUSD);
    return [...(move?.first.map(({ pips }) => pips) ?? []), move?.reach];
  };
  expect(at(0.5, 1)).toEqual([null, null, null, null]);
  expect(at(5)).toEqual([8, -12, null, null]);
  expect(at(29.9, 30)).toEqual([8, -12, null, null]);
  expect(at(30)).toEqual([8, -12, -12, -30]);
  // Prices that end ten minutes after the release do not tell how far it went.
  expect(at(60, 10)).toEqual([8, -12, null, null]);
});

test("The usual reach is the median of at least three absolute ones", () => {
  const find = (...reaches: (number | null)[]) => findUsualReach([null, ...reaches.map((reach) => ({ reach }))]);
  expect(find(-30, 10, 22, null)).toEqual({ pips: 22, n: 3 });
  expect(find(-30, 10, 22, -14)).toEqual({ pips: 18, n: 4 });
  expect(find(-30, 10, null)).toEqual({ pips: null, n: 2 });
});

test("Bars of five minutes are measured where they end at the release, and only there", () => {
  const prices = { bars: createBars(5, jump), barMinutes: 5, minutes: [], nowMs: LATER_MS } as const;
  expect(measureMove(RELEASE_MS, prices, EURUSD)).toMatchObject({ rangeAfter: 20, spread: null });
  expect(measureMove(RELEASE_MS, prices, EURUSD)?.path).toHaveLength(13);
  expect(measureMove(RELEASE_MS + 2 * MINUTE_MS, prices, EURUSD)).toBeNull();
});

test("Without prices before or after the release there is no move, and none after the present", () => {
  const bars = createBars(1, jump);
  const measure = (some: readonly Bar[], nowMs = LATER_MS) =>
    measureMove(RELEASE_MS, { bars: some, barMinutes: 1, minutes, nowMs }, EURUSD);
  expect(measure([])).toBeNull();
  expect(measure(bars.filter(({ timeMs }) => timeMs < RELEASE_MS))).toBeNull();
  expect(measure(bars.filter(({ timeMs }) => timeMs >= RELEASE_MS))).toBeNull();
  const soon = measure(
    bars.filter(({ timeMs }) => timeMs < RELEASE_MS + 3 * MINUTE_MS),
    RELEASE_MS + 3 * MINUTE_MS,
  );
  expect(soon?.path.slice(33)).toEqual([20, ...Array<null>(27).fill(null)]);
});

test("A release is read from bars of a minute, else of five, and only once in an hour", async () => {
  const reads: string[] = [];
  let nowMs = LATER_MS;
  const moves = new Moves({
    history: {
      bars: {
        async readRange(symbol, timeframe) {
          reads.push(`${symbol} ${timeframe}`);
          return timeframe === "M5" ? createBars(5, jump) : [];
        },
      },
      spreads: { readMinutes: async () => [] },
    },
    now: () => nowMs,
  });
  const [move, none] = await moves.read(EURUSD, [RELEASE_MS, RELEASE_MS - HOUR_MS]);
  expect(move?.barMinutes).toBe(5);
  expect(none).toBeNull();
  await moves.read(EURUSD, [RELEASE_MS]);
  expect(reads).toHaveLength(4);
  nowMs += HOUR_MS;
  await moves.read(EURUSD, [RELEASE_MS]);
  expect(reads).toHaveLength(6);
});

test("The main pairs of a currency are those with the most traded ones", () => {
  const find = (currency: string) => findMainPairs(currency, instruments).map(({ symbol }) => symbol);
  expect(find("USD")).toEqual(["EURUSD", "USDJPY", "GBPUSD"]);
  expect(find("EUR")).toEqual(["EURUSD", "EURJPY", "EURGBP"]);
  expect(find("CHF")).toEqual(["USDCHF", "EURCHF", "CHFJPY"]);
  expect(find("XXX")).toEqual([]);
});

test("The median of an even number of values is the mean of the two in the middle", () => {
  expect([getMedian([]), getMedian([3]), getMedian([1, 4, 2, 3])]).toEqual([null, 3, 2.5]);
});
