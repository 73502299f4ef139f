import { expect, test } from "vitest";
import { alignBars } from "@/lib/analytics/strength/strength";
import type { Bar } from "@/lib/market/bar";

const bar = (timeMs: number, close = timeMs): Bar => ({
  timeMs,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
});
const closes = (bars: readonly (Bar | null)[] | undefined) => bars?.map((each) => each?.close ?? null);

test("Bars of several pairs are aligned by their time", () => {
  const { times, pairs } = alignBars(
    [
      [bar(1), bar(2), bar(3)],
      [bar(2), bar(3)],
    ],
    10,
  );
  expect(times).toEqual([1, 2, 3]);
  expect(closes(pairs[0])).toEqual([1, 2, 3]);
  expect(closes(pairs[1])).toEqual([null, 2, 3]);
});

test("A few missing bars repeat the last close, and no more", () => {
  const whole = [1, 2, 3, 4, 5, 6].map((timeMs) => bar(timeMs));
  const { pairs } = alignBars([whole, whole, [bar(1, 7)]], 10);
  expect(closes(pairs[2])).toEqual([7, 7, 7, 7, null, null]);
  expect(pairs[2]?.[1]).toEqual({ timeMs: 2, open: 7, high: 7, low: 7, close: 7, volume: 0 });
});

test("A bar that few pairs have is left out, but its price is used", () => {
  const whole = [1, 2, 4].map((timeMs) => bar(timeMs));
  const { times, pairs } = alignBars([whole, whole, whole, [bar(1), bar(2), bar(3)]], 10);
  expect(times).toEqual([1, 2, 4]);
  expect(closes(pairs[3])).toEqual([1, 2, 3]);
});

test("Pairs without bars do not count", () => {
  expect(alignBars([[bar(1)], [], [], []], 10).times).toEqual([1]);
  expect(alignBars([[], []], 10)).toEqual({ times: [], pairs: [[], []] });
});

test("Only the latest bars are aligned", () => {
  const many = Array.from({ length: 50 }, (_, index) => bar(index));
  expect(alignBars([many], 3).times).toEqual([47, 48, 49]);
});
