import { expect, test } from "vitest";
import { computeSurprises } from "@/lib/calendar/surprise";

const release = (actual: string | null, forecast: string) => ({ actual, forecast });

test("A surprise is measured in standard deviations of the earlier ones, once there are five", () => {
  const surprises = computeSurprises([
    release("0.3%", "0.1%"),
    release("0.2%", "0.3%"),
    release("0.1%", "0.1%"),
    release("0.4%", "0.3%"),
    release("0.1%", "0.3%"),
    release("0.6%", "0.2%"),
  ]);
  expect(surprises.slice(0, 5).map((each) => each?.sigmas)).toEqual([null, null, null, null, null]);
  expect(surprises.map((each) => each?.value)).toEqual([0.2, -0.1, 0, 0.1, -0.2, 0.4]);
  // Of 0.2, −0.1, 0, 0.1 and −0.2: the mean is 0, the variance 0.1 / 4.
  expect(surprises[5]).toMatchObject({ n: 5 });
  expect(surprises[5]?.sigmas).toBeCloseTo(0.4 / Math.sqrt(0.025), 10);
});

test("A release without a forecast, without a figure or in another unit has no surprise", () => {
  expect(computeSurprises([release("0.3%", ""), release(null, "0.3%"), release("120", "0.3%")])).toEqual([
    null,
    null,
    null,
  ]);
});

test("Surprises that are all equal have no standard deviation", () => {
  const surprises = computeSurprises(Array.from({ length: 8 }, () => release("4.25%", "4.25%")));
  expect(surprises.at(-1)).toEqual({ value: 0, sigmas: null, n: 7 });
});
