import { expect, test } from "vitest";
import { formatCompactCount, formatCount, formatDecimal } from "@/lib/text/number";

test("A count has commas, and a decimal number has at most one decimal place.", () => {
  expect([0, 999, 1_234_567].map(formatCount)).toEqual(["0", "999", "1,234,567"]);
  expect([0, 1.25, 12_345].map(formatDecimal)).toEqual(["0", "1.3", "12,345"]);
  expect([999, 12_345].map(formatCompactCount)).toEqual(["999", "12K"]);
});
