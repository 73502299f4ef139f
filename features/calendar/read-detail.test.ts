import { expect, test } from "vitest";
import { formatSurprise } from "@/lib/calendar/figure";

test("A surprise has the unit and the decimals of its figure", () => {
  expect(formatSurprise(0.2, "0.3%")).toBe("+0.2%");
  expect(formatSurprise(-15_000, "210K")).toBe("−15K");
  expect(formatSurprise(-1_200_000, "-0.40M")).toBe("−1.20M");
  expect(formatSurprise(0, "4.25%")).toBe("±0.00%");
  expect(formatSurprise(0.03, "4.12|2.5")).toBe("+0.03");
});
