import type { Bar } from "@/lib/market/bar";

/** The arithmetic of the reference implementation: sums over whole arrays, written out from the first bar. */

export type Series = (number | null)[];

export const at = <T>(series: readonly T[], i: number): T => series[i] as T;
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const latest = <T>(series: readonly T[], i: number, count: number): T[] => series.slice(i - count + 1, i + 1);

/** f(i) from bar `first` on. */
export const from = (first: number, bars: readonly unknown[], f: (i: number) => number): Series =>
  bars.map((_, i) => (i < first ? null : f(i)));

/** Exponential average at i of x[start…i], as a weighted sum: the first number has the remaining weight. */
export function emaAt(x: readonly number[], period: number, start: number, i: number): number {
  const k = 2 / (period + 1);
  let total = (1 - k) ** (i - start) * at(x, start);
  for (let j = start + 1; j <= i; j += 1) total += k * (1 - k) ** (i - j) * at(x, j);
  return total;
}

/** Wilder's average at i of x[start…i], seeded with the mean of its first `period`, or with zero. */
export function wilderAt(
  x: readonly number[],
  period: number,
  start: number,
  i: number,
  seed: "mean" | "zero",
): number {
  const keep = (period - 1) / period;
  const seedAt = seed === "mean" ? start + period - 1 : start - 1;
  let total = seed === "mean" ? keep ** (i - seedAt) * mean(x.slice(start, start + period)) : 0;
  for (let j = seedAt + 1; j <= i; j += 1) total += (keep ** (i - j) * at(x, j)) / period;
  return total;
}

export const closes = (bars: readonly Bar[]) => bars.map(({ close }) => close);
export const highs = (bars: readonly Bar[]) => bars.map(({ high }) => high);
export const lows = (bars: readonly Bar[]) => bars.map(({ low }) => low);
export const typicals = (bars: readonly Bar[]) => bars.map(({ high, low, close }) => (high + low + close) / 3);
export const highestAt = (bars: readonly Bar[], i: number, count: number) => Math.max(...latest(highs(bars), i, count));
export const lowestAt = (bars: readonly Bar[], i: number, count: number) => Math.min(...latest(lows(bars), i, count));
export const middleAt = (bars: readonly Bar[], i: number, count: number) =>
  (highestAt(bars, i, count) + lowestAt(bars, i, count)) / 2;
