import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPath } from "@/lib/feeds/simulated/market";
import { findWeek, getWeekStartMs, SLOT_MS } from "@/lib/feeds/simulated/week";
import { DAY_MS, HOUR_MS, WEEK_MS } from "@/lib/time/units";

const YEAR_MS = 365.2425 * DAY_MS;
const START = Date.UTC(2024, 0, 1);

const euro = () => createPath({ seed: 42, yearlyVolatility: 0.08, region: "europe" });

function returns(fromMs: number, stepMs: number, count: number, path = euro()): number[] {
  let last = path.deviationAt(fromMs);
  return Array.from({ length: count }, (_, i) => {
    const value = path.deviationAt(fromMs + (i + 1) * stepMs);
    const change = value - last;
    last = value;
    return change;
  });
}

const sumOfSquares = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
const variance = (values: readonly number[]) => sumOfSquares(values) / values.length;
function autocorrelation(values: readonly number[], lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += (values[i] as number) * (values[i - lag] as number);
  return sum / sumOfSquares(values);
}

describe("the path of a price", () => {
  test("is the same for any order of calls", () => {
    const atMs = fc.integer({ min: START, max: START + 60 * DAY_MS });
    const inOneGo = euro();
    fc.assert(
      fc.property(fc.array(atMs, { minLength: 1, maxLength: 30 }), (moments) => {
        const values = moments.map((at) => inOneGo.deviationAt(at));
        expect(moments.map((at) => euro().deviationAt(at))).toEqual(values);
      }),
      { numRuns: 20 },
    );
  });

  test("has the yearly volatility it was given, at every scale from seconds to days", () => {
    for (const [stepMs, count] of [
      [5_000, 17_280 * 28],
      [60_000, 1_440 * 56],
      [HOUR_MS, 24 * 728],
      [DAY_MS, 3_640],
    ] as const) {
      const yearly = Math.sqrt(variance(returns(START, stepMs, count)) * (YEAR_MS / stepMs));
      expect(yearly).toBeGreaterThan(0.08 * 0.8);
      expect(yearly).toBeLessThan(0.08 * 1.2);
    }
  });

  test("has uncorrelated moves: no period, no sawtooth", () => {
    const minutes = returns(START, 60_000, 1_440 * 56);
    for (const lag of [1, 2, 3, 5, 7, 15, 30, 60, 120, 1_440]) {
      expect(Math.abs(autocorrelation(minutes, lag))).toBeLessThan(0.03);
    }
    const seconds = returns(START + 2 * DAY_MS, 1_000, 200_000);
    for (const lag of [1, 2, 5, 10, 60, 300]) expect(Math.abs(autocorrelation(seconds, lag))).toBeLessThan(0.03);
  });

  test("has calm and volatile periods, and fatter tails than a normal distribution", () => {
    const minutes = returns(START, 60_000, 1_440 * 56);
    const kurtosis = minutes.reduce((sum, r) => sum + r ** 4, 0) / minutes.length / variance(minutes) ** 2;
    expect(kurtosis).toBeGreaterThan(4);
    expect(kurtosis).toBeLessThan(40);
    const usualSize = minutes.reduce((sum, r) => sum + Math.abs(r), 0) / minutes.length;
    const sizes = minutes.map((r) => Math.abs(r) - usualSize);
    expect(autocorrelation(sizes, 5)).toBeGreaterThan(0.1);
  });

  test("is continuous where weeks, slots or cells meet", () => {
    const path = euro();
    const jumpAt = (atMs: number) => Math.abs(path.deviationAt(atMs) - path.deviationAt(atMs - 1));
    const usual = Math.sqrt(variance(returns(START, 1_000, 100_000)));
    for (let week = findWeek(START); week < findWeek(START) + 104; week++) {
      expect(jumpAt(getWeekStartMs(week))).toBeLessThan(5 * usual);
      expect(jumpAt(getWeekStartMs(week) + WEEK_MS / 2)).toBeLessThan(5 * usual);
      expect(jumpAt(getWeekStartMs(week) + 500 * SLOT_MS)).toBeLessThan(5 * usual);
    }
  });

  test("is as volatile around the lattice's coarse points as elsewhere", () => {
    const path = euro();
    const around = Array.from({ length: 104 }, (_, i) => {
      const weekMs = getWeekStartMs(findWeek(START) + i);
      // The middle of a week's activity, and another moment in the same hour of the week.
      const middleMs = weekMs + 3.5 * DAY_MS;
      return [
        returns(middleMs - 1_800_000, 60_000, 60, path),
        returns(middleMs + 1_800_000, 60_000, 60, path),
      ] as const;
    });
    const near = variance(around.flatMap(([before]) => before));
    const far = variance(around.flatMap(([, after]) => after));
    expect(near / far).toBeGreaterThan(0.5);
    expect(near / far).toBeLessThan(2);
  });

  test("deviates for months, but always returns", () => {
    const path = euro();
    const values = Array.from({ length: 500 }, (_, week) => path.deviationAt(START + week * WEEK_MS));
    expect(Math.max(...values.map(Math.abs))).toBeLessThan(0.2);
    expect(Math.abs(values.reduce((sum, value) => sum + value, 0) / values.length)).toBeLessThan(0.02);
    expect(Math.sqrt(variance(values))).toBeGreaterThan(0.01);
  });

  test("moves most while London and New York overlap, little in the Sydney hours, least at the weekend", () => {
    const day = Date.UTC(2026, 0, 12);
    const movement = (hour: number, dayOfWeek: number) => {
      const days = Array.from({ length: 20 }, (_, week) => day + week * WEEK_MS + dayOfWeek * DAY_MS);
      return Math.sqrt(variance(days.flatMap((at) => returns(at + hour * HOUR_MS, 60_000, 60))));
    };
    const overlap = movement(14, 1);
    const sydney = movement(22, 1);
    const saturday = movement(14, 5);
    expect(overlap).toBeGreaterThan(2 * sydney);
    expect(sydney).toBeGreaterThan(1.2 * saturday);
  });

  test("has the widest spreads at the New York close, in summer and in winter", () => {
    const path = euro();
    const widest = (day: number) =>
      Array.from({ length: 288 }, (_, slot) => path.wideningAt(day + slot * SLOT_MS)).reduce(
        (best, widening, slot, all) => (widening > (all[best] ?? 0) ? slot : best),
        0,
      ) / 12;
    expect(widest(Date.UTC(2026, 0, 14))).toBe(22);
    expect(widest(Date.UTC(2026, 6, 15))).toBe(21);
    expect(path.wideningAt(Date.UTC(2026, 0, 14, 22, 1))).toBeGreaterThan(4);
    expect(path.wideningAt(Date.UTC(2026, 0, 14, 14, 1))).toBeLessThan(1.5);
  });
});
