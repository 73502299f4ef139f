import { describe, expect, test } from "vitest";
import { formatPips, formatRelation, formatSince, formatStep } from "@/features/spreads/spread-text";

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

  test("name the length of their steps and the time from which they were recorded", () => {
    expect([60_000, 900_000].map(formatStep)).toEqual(["minute", "15 minutes"]);
    const nowMs = Date.parse("2026-11-22T12:00:00Z");
    expect(formatSince(Date.parse("2026-11-22T00:16:00Z"), nowMs)).toBe("since 00:16");
    expect(formatSince(Date.parse("2026-11-20T00:16:00Z"), nowMs)).toBe("since 20 Nov");
  });
});
