import { expect, test } from "vitest";
import { compareWithForecast, computeSurprises } from "@/lib/calendar/figure";

test.each([
  ["Nonfarm Payrolls (Oct)", "115K", "120K", "beat"],
  ["Unemployment Rate", "4.1%", "4.2%", "miss"],
  ["Initial Jobless Claims", "225K", "219K", "beat"],
  ["CPI (MoM) (Oct)", "0.2%", "0.2%", "in line"],
  ["Trade Balance", "-375M", "-400M", "miss"],
  ["10-Year Note Auction", "4.1%", "4.2%", null],
  ["Participation Rate (Oct)", "62.5%", "62.6%", null],
  ["Something new", "1", "2", null],
  ["GDP (QoQ)", "", "0.2%", null],
  ["GDP (QoQ)", "0.1%", null, null],
])("%s, expected %s and released at %s, is a %s", (title, forecast, actual, outcome) => {
  expect(compareWithForecast(title, forecast, actual)).toBe(outcome);
});

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
