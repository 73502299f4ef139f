import { describe, expect, test } from "vitest";
import { formatPips, formatRelation } from "@/features/spreads/spread-text";

describe("Formatted spreads", () => {
  test("have two decimals, or a dash without a spread", () => {
    expect(formatPips(1.5)).toBe("1.50");
    expect(formatPips(0.4, 1)).toBe("0.4");
    expect(formatPips(null)).toBe("–");
  });

  test("have the distance from the average in percent", () => {
    expect(formatRelation(1.12, 1)).toBe("+12 %");
    expect(formatRelation(0.5, 1)).toBe("−50 %");
    expect(formatRelation(1.001, 1)).toBe("±0 %");
    expect(formatRelation(null, 1)).toBe("–");
    expect(formatRelation(1, 0)).toBe("–");
  });
});
