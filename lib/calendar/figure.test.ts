import { describe, expect, test } from "vitest";
import { compareWithForecast, computeSurprises, parseFigure } from "@/lib/calendar/figure";
import { findFigureStyle, readFigureText } from "@/lib/calendar/figure-text";

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

describe("figures of files", () => {
  const csv = { separator: ";", isNamedAsValues: false };
  const style = (...texts: string[]) => findFigureStyle(texts, csv);

  test("have a decimal comma if one of them can only be read so", () => {
    const comma = style("2,8%", "1.234,5", "1.234");
    expect(["2,8 %", "1.234,5", "-0,25%", "1.234", "12 345,6M"].map((text) => readFigureText(text, comma))).toEqual([
      "2.8%",
      "1234.5",
      "-0.25%",
      "1234",
      "12345.6M",
    ]);
    const point = style("0.3%", "1,234");
    expect(["0.3%", "1,234", "4.12|2.5", "n/a", "9-0-0"].map((text) => readFigureText(text, point))).toEqual([
      "0.3%",
      "1,234",
      "4.12|2.5",
      "",
      "9-0-0",
    ]);
  });

  test("are refused if commas and points contradict each other, or nothing tells what a comma is", () => {
    expect(() => style("2,8%", "0.3%")).toThrow("2,8% and 0.3%");
    expect(() => style("2,850")).toThrow("2,850 may be a decimal or have separated thousands");
    expect(() => style("180.000", "12")).toThrow("180.000 may be a decimal");
    expect(findFigureStyle(["2,850", "48.125"], { ...csv, separator: "," }).hasDecimalComma).toBe(false);
  });

  test.each([
    ["180", "K", "", "180K"],
    ["2.6", "%", "", "2.6%"],
    ["-30", "USD", "B", "-30B"],
    ["12", "USD Million", "", "12M"],
    ["3.7", "PERCENT", "CALENDAR_MULTIPLIER_NONE", "3.7%"],
    ["353K", "K", "", "353K"],
    ["52.1", "points", "", "52.1"],
    ["", "%", "", ""],
  ])("%j with the unit %j and the multiplier %j is %j", (text, unit, multiplier, expected) => {
    expect(readFigureText(text, style(), unit, multiplier)).toBe(expected);
  });

  test.each([
    ["1.2bn", "1.2B", 1.2e9],
    ["3.4 billion", "3.4B", 3.4e9],
    ["250mln", "250M", 2.5e8],
    ["180 thousand", "180K", 180_000],
    ["$-68.9B", "-$68.9B", -68.9e9],
    ["US$-68.9bn", "-$68.9B", -68.9e9],
    ["USD 12.5M", "12.5M", 12.5e6],
    ["-68.9B USD", "-68.9B", -68.9e9],
    ["(0.3%)", "-0.3%", -0.3],
    ["($68.9B)", "-$68.9B", -68.9e9],
    ["1.5%R", "1.5%", 1.5],
    ["1.2bn (r)", "1.2B", 1.2e9],
    ["55.3p", "55.3", 55.3],
    ["0.3 pct", "0.3%", 0.3],
    ["55.3*", "55.3", 55.3],
  ])("written as %s are stored as %s, which is %d", (text, stored, value) => {
    expect(readFigureText(text, style(text))).toBe(stored);
    expect(parseFigure(stored)?.value).toBe(value);
  });

  test("of MetaTrader are millionths where one is its value for “not set”, and refused where they may be", () => {
    const values = ["3700000", "-250000", "-9223372036854775808"];
    const millionths = findFigureStyle(values, { separator: ",", isNamedAsValues: true });
    expect(values.map((text) => readFigureText(text, millionths, "1"))).toEqual(["3.7%", "-0.25%", ""]);
    expect(() => findFigureStyle(["3700000", "0"], { separator: ",", isNamedAsValues: true })).toThrow("millionths");
    expect(findFigureStyle(["3.7", "142000"], { separator: ",", isNamedAsValues: true }).isMillionths).toBe(false);
  });
});
