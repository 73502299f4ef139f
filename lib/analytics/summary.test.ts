import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyBars, flatBars, generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { computeLatest } from "@/lib/analytics/indicators/run";
import { findKeyLevels, summarise } from "@/lib/analytics/summary";
import type { Bar } from "@/lib/market/bar";

const sum = (bars: readonly Bar[]) =>
  summarise(
    { closed: bars, past: null },
    { symbol: "EURUSD", timeframe: "H1", bid: bars.at(-1)?.close ?? 1, digits: 5 },
  );

/** A market that rises by a step a bar and falls by half a step every third bar. */
const rising = (count: number): Bar[] =>
  Array.from({ length: count }, (_, i) => {
    const close = 1 + i * 0.001 - (i % 3 === 2 ? 0.0015 : 0);
    return { timeMs: i, open: close, high: close + 0.0004, low: close - 0.0004, close, volume: 100 + i };
  });

const mirrored = (bars: readonly Bar[]): Bar[] =>
  bars.map((bar) => ({
    ...bar,
    open: 3 - bar.open,
    high: 3 - bar.low,
    low: 3 - bar.high,
    close: 3 - bar.close,
  }));

describe("a summary", () => {
  test("A summary needs 50 bars, but not the average of 200", () => {
    expect(sum(rising(49))).toBeNull();
    expect(sum([])).toBeNull();
    expect(sum(rising(50))?.keyValues.sma200).toBeNull();
    expect(sum(rising(200))?.keyValues.sma200).not.toBeNull();
  });

  test("A long rise is bullish, and its mirror image bearish", () => {
    expect(sum(rising(302))).toMatchObject({ bias: "bullish", biasStrength: "strong", trendScore: 100 });
    expect(sum(mirrored(rising(302)))).toMatchObject({ bias: "bearish", biasStrength: "strong", trendScore: -100 });
  });

  test("A mirrored market has opposite scores and the same confidence", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const bars = generateBars(400, { seed, digits: 5, price: 1.5 });
      const [one, other] = [sum(bars)!, sum(mirrored(bars))!];
      expect([other.trendScore, other.momentumScore]).toEqual([0 - one.trendScore, 0 - one.momentumScore]);
      expect(other.confidence).toBeCloseTo(one.confidence, 12);
      expect(other.volatilityScore).toBeCloseTo(one.volatilityScore, 0);
      expect(other.bullishSignals.length).toBe(one.bearishSignals.length);
    }
  });

  test("A market that does not move is neutral", () => {
    expect(sum(flatBars(300, 1.1))).toMatchObject({
      bias: "neutral",
      biasStrength: "normal",
      confidence: 1,
      trendScore: 0,
      momentumScore: 0,
      volatilityScore: 0,
      signals: { trend: "neutral", momentum: "neutral", volatility: "low", volume: "normal" },
      keyLevels: { resistance: [], support: [] },
      bullishSignals: [],
      bearishSignals: [],
    });
  });

  test("Every number stays within its bounds, and every vote is in one list", () => {
    fc.assert(
      fc.property(anyBars(260), (bars) => {
        const result = sum(bars);
        expect(result === null).toBe(bars.length < 50);
        if (result === null) return;
        const { confidence, trendScore, momentumScore, volatilityScore } = result;
        expect(confidence >= 0 && confidence <= 1).toBe(true);
        const directed = [...result.bullishSignals, ...result.bearishSignals];
        if (result.bias === "neutral") expect(confidence > 1 - 1e-9).toBe(directed.length === 0);
        expect(Math.max(Math.abs(trendScore), Math.abs(momentumScore))).toBeLessThanOrEqual(100);
        expect(volatilityScore >= 0 && volatilityScore <= 100).toBe(true);
        const votes = [result.bullishSignals, result.bearishSignals, result.neutralSignals].flat();
        expect(votes.length).toBe(bars.length < 200 ? 9 : 10);
        const words = [
          ...votes,
          ...result.volatilityInfo,
          ...result.volumeInfo,
          result.summary,
          ...result.recommendations,
        ];
        expect(words.join(" ")).not.toMatch(/NaN|Infinity|undefined|null|-0\b(?!\.)/);
      }),
      { numRuns: 50 },
    );
  });

  test("A summary has the values of the indicators", () => {
    const bars = generateBars(400, { seed: 3, digits: 5, price: 1.1 });
    const { keyValues } = sum(bars)!;
    const value = (name: string) => computeLatest(findIndicator(name)!, bars);
    expect(keyValues).toMatchObject({
      rsi: value("RSI_14"),
      macdHistogram: value("MACD_hist"),
      adx: value("ADX"),
      atr: value("ATR_14"),
      sma200: value("SMA_200"),
      mfi: value("MFI_14"),
    });
  });

  test("The same bars have the same summary", () => {
    const bars = generateBars(300, { seed: 5, digits: 5, price: 1.1 });
    expect(sum(bars)).toEqual(sum([...bars]));
  });

  test("The summary is a sentence", () => {
    expect(sum(generateBars(900, { seed: 9, digits: 5, price: 1.1 }))?.summary).toBe(
      "EURUSD on H1 is bearish: trend -50, momentum -25 of 100; volatility is high, volume normal.",
    );
  });
});

const createBars = (highs: number[], depth = 1) =>
  highs.map((high, i) => ({
    timeMs: i,
    open: high - depth,
    high,
    low: high - depth,
    close: high,
    volume: 1,
  }));

describe("key levels", () => {
  test("Key levels are the highs and lows at which the market turned, nearest first", () => {
    const bars = createBars([10, 11, 15, 12, 9, 12, 14, 18, 14, 13, 12]);
    expect(findKeyLevels(bars, 13, 0)).toEqual({ resistance: [15, 18], support: [8] });
    expect(findKeyLevels(bars, 16, 0)).toEqual({ resistance: [18], support: [8] });
  });

  test("A turn that the next two bars have not confirmed is not a level", () => {
    expect(findKeyLevels(createBars([10, 11, 15, 12]), 13, 0).resistance).toEqual([]);
    expect(findKeyLevels(createBars([10, 11, 15, 12, 12]), 13, 0).resistance).toEqual([15]);
  });

  test("Key levels are at most three a side, on their side of the price, and at least the minimum distance apart", () => {
    fc.assert(
      fc.property(anyBars(250), fc.double({ min: 1, max: 1.8, noNaN: true }), (bars, price) => {
        const apart = 0.02;
        const { resistance, support } = findKeyLevels(bars, price, apart);
        const above = [price, ...resistance];
        const below = [price, ...support].map((level) => -level);
        for (const side of [above, below]) {
          expect(side.length).toBeLessThanOrEqual(4);
          side.slice(1).forEach((level, i) => expect(level).toBeGreaterThan(side[i]!));
          side.slice(2).forEach((level, i) => expect(level - side[i + 1]!).toBeGreaterThanOrEqual(apart));
        }
      }),
    );
  });
});
