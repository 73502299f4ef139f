import fc from "fast-check";
import { expect, test } from "vitest";
import { computeMoves, findMove, PriceWindow } from "@/lib/alerts/conditions/price-window";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const START_MS = Date.UTC(2026, 0, 15, 12);

test("A window has the lowest and highest price of its minutes, and forgets older ones", () => {
  const window = new PriceWindow(10);
  expect(window.findLowest(START_MS)).toBe(Infinity);
  window.add(1.2, START_MS);
  window.add(1.0, START_MS + 5 * MINUTE_MS);
  window.add(1.1, START_MS + 9 * MINUTE_MS);
  expect(window.findHighest(START_MS + 9 * MINUTE_MS)).toBe(1.2);
  expect(window.findLowest(START_MS + 9 * MINUTE_MS)).toBe(1);
  expect(window.findHighest(START_MS + 10 * MINUTE_MS)).toBe(1.1);
  expect(window.findLowest(START_MS + 15 * MINUTE_MS)).toBe(1.1);
  expect(window.findHighest(START_MS + 19 * MINUTE_MS)).toBe(-Infinity);
});

test("A window never counts a price that is too old, and counts all of its last 59 sixtieths", () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 30 * SECOND_MS }),
    price: fc.integer({ min: 1, max: 99 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), fc.array(step, { minLength: 1, maxLength: 200 }), (minutes, steps) => {
      const window = new PriceWindow(minutes);
      const lengthMs = minutes * MINUTE_MS;
      const added: { timeMs: number; price: number }[] = [];
      let timeMs = START_MS;
      for (const { afterMs, price } of steps) {
        timeMs += afterMs;
        added.push({ timeMs, price });
        window.add(price, timeMs);
      }
      const within = (ms: number) => added.filter((each) => each.timeMs > timeMs - ms).map(({ price }) => price);
      const [all, certain] = [within(lengthMs), within((lengthMs * 59) / 60)];
      expect(window.findLowest(timeMs)).toBeGreaterThanOrEqual(Math.min(...all));
      expect(window.findLowest(timeMs)).toBeLessThanOrEqual(Math.min(...certain));
      expect(window.findHighest(timeMs)).toBeLessThanOrEqual(Math.max(...all));
      expect(window.findHighest(timeMs)).toBeGreaterThanOrEqual(Math.max(...certain));
    }),
  );
});

test("A move is measured from the lowest or the highest price of the window", () => {
  const window = new PriceWindow(60);
  expect(computeMoves(1, window, START_MS)).toEqual({ up: 0, down: 0 });
  for (const [index, price] of [100, 98, 101].entries()) window.add(price, START_MS + index * MINUTE_MS);
  const moves = computeMoves(99.96, window, START_MS + 2 * MINUTE_MS);
  expect(moves.up).toBeCloseTo(2, 10);
  expect(moves.down).toBeCloseTo(-1.0297, 4);
  expect(findMove(moves, 2, "up")).toBe(moves.up);
  expect(findMove(moves, 2.01, "either")).toBeNull();
  expect(findMove(moves, 1, "down")).toBe(moves.down);
  expect(findMove(moves, 1, "either")).toBe(moves.up);
});
