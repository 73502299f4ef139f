import { expect, test } from "vitest";
import { formatMove, invertMove } from "@/features/strength/strength-view";

test("The move of an inverted pair is that of the inverted price", () => {
  // EURUSD from 1.00 to 1.25: the dollar fell from 1.00 to 0.80 euros.
  expect(invertMove(25)).toBeCloseTo(-20, 12);
  expect(invertMove(-20)).toBeCloseTo(25, 12);
  expect(invertMove(0)).toBe(0);
});

test("A move has its sign, and a move that rounds to nothing has none", () => {
  expect([0.314, -0.05, -0.004, null].map(formatMove)).toEqual(["+0.31", "−0.05", "0.00", "–"]);
});
