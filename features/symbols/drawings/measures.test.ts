import { expect, test } from "vitest";
import {
  alignPosition,
  computeMeasure,
  computePosition,
  findExtensions,
  findMagnet,
  findRetracements,
  formatMeasure,
  simplify,
} from "@/features/symbols/drawings/measures";
import type { DrawingPoint } from "@/lib/access/drawing";
import { HOUR_MS } from "@/lib/time/units";

const eurusd = { digits: 5, pipSize: 0.0001 };
const usdjpy = { digits: 3, pipSize: 0.01 };

test("Retracements go back from the end of a move to its start", () => {
  const up: DrawingPoint[] = [
    [0, 1.1],
    [1, 1.2],
  ];
  expect(findRetracements(up, [0, 0.382, 0.5, 1, 1.272])).toEqual(
    [1.2, 1.1618, 1.15, 1.1, 1.0728].map((each) => expect.closeTo(each, 9)),
  );
  expect(findRetracements(up.toReversed(), [0.236])).toEqual([expect.closeTo(1.1236, 9)]);
});

test("Extensions repeat a move from where it has come back to", () => {
  expect(
    findExtensions(
      [
        [0, 1.1],
        [1, 1.2],
        [2, 1.15],
      ],
      [0, 0.618, 1, 1.618],
    ),
  ).toEqual([1.15, 1.2118, 1.25, 1.3118].map((each) => expect.closeTo(each, 9)));
});

test("A measure has pips of its instrument, percent, bars and time, and signs", () => {
  const measure = computeMeasure([0, 1.1], [24 * HOUR_MS, 1.10123], 24, eurusd);
  expect(formatMeasure(measure, eurusd)).toEqual(["+12.3 pips · +0.11 %", "+0.00123 · +24 bars · 1 d 0 h"]);
  const yen = computeMeasure([HOUR_MS, 150], [0, 149.5], -1, usdjpy);
  expect(formatMeasure(yen, usdjpy)).toEqual(["−50.0 pips · −0.33 %", "−0.500 · −1 bar · 1 h 0 min"]);
});

test("A position has the ratio of reward to risk, and none without risk", () => {
  const points: DrawingPoint[] = [
    [0, 1.1],
    [1, 1.13],
    [1, 1.09],
  ];
  expect(computePosition(points, eurusd)).toMatchObject({
    rewardPips: expect.closeTo(300, 6),
    riskPips: expect.closeTo(100, 6),
    ratio: expect.closeTo(3, 6),
  });
  expect(
    computePosition(
      [
        [0, 1.1],
        [1, 1.13],
        [1, 1.1],
      ],
      eurusd,
    ).ratio,
  ).toBeNull();
});

test("The target and the stop of a position stay on their sides of the entry, at one time", () => {
  const points: DrawingPoint[] = [
    [5, 1.1],
    [8, 1.05],
    [9, 1.2],
  ];
  expect(alignPosition(points, true, 1)).toEqual([
    [5, 1.1],
    [8, 1.1],
    [8, 1.1],
  ]);
  expect(alignPosition(points, false, 2)).toEqual([
    [5, 1.1],
    [9, 1.05],
    [9, 1.2],
  ]);
  expect(
    alignPosition(
      [
        [9, 1],
        [8, 1.1],
        [8, 0.9],
      ],
      true,
      0,
    )[1],
  ).toEqual([9, 1.1]);
});

test("The magnet takes the nearest of the four prices within reach", () => {
  const bar = [0, 1.1, 1.12, 1.08, 1.11, 500] as const;
  expect(findMagnet(bar, 1.118, 0.01)).toBe(1.12);
  expect(findMagnet(bar, 1.106, 0.01)).toBe(1.11);
  expect(findMagnet(bar, 1.2, 0.01)).toBeNull();
});

test("A hand-drawn line keeps its corners and its ends, and has at most so many places", () => {
  const straight = Array.from({ length: 50 }, (_, x) => ({ x, y: x < 25 ? 0 : (x - 25) * 4 }));
  expect(simplify(straight, 1, 100).map(({ x }) => x)).toEqual([0, 25, 49]);
  const wild = Array.from({ length: 1_000 }, (_, x) => ({ x, y: x % 2 === 0 ? 0 : 100 }));
  const kept = simplify(wild, 1, 200);
  expect(kept.length).toBeLessThanOrEqual(200);
  expect([kept[0], kept.at(-1)]).toEqual([wild[0], wild.at(-1)]);
});
