import { expect, test } from "vitest";
import { computeCountTicks } from "@/features/usage/usage-figures";

test("The marks are whole, round and reach the highest count", () => {
  expect(computeCountTicks(0)).toEqual([0, 1]);
  expect(computeCountTicks(1)).toEqual([0, 1]);
  expect(computeCountTicks(4)).toEqual([0, 1, 2, 3, 4]);
  expect(computeCountTicks(5)).toEqual([0, 2, 4, 6]);
  expect(computeCountTicks(999)).toEqual([0, 500, 1_000]);
  expect(computeCountTicks(12_345_678)).toEqual([0, 5_000_000, 10_000_000, 15_000_000]);
});
