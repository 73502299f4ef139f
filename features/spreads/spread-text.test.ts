import { describe, expect, test } from "vitest";
import {
  formatMean,
  formatPips,
  formatRelation,
  formatSince,
  formatStep,
  formatStepTime,
} from "@/features/spreads/spread-text";

describe("Formatted spreads", () => {
  test("have one decimal, and their means two; a dash without a spread", () => {
    expect([1.5, 137.4, 0, null].map(formatPips)).toEqual(["1.5", "137.4", "0.0", "–"]);
    expect([1.5, 0.934, null].map(formatMean)).toEqual(["1.50", "0.93", "–"]);
  });

  test("have the distance from the average in percent", () => {
    expect(formatRelation(1.12, 1)).toBe("+12 %");
    expect(formatRelation(0.5, 1)).toBe("−50 %");
    expect(formatRelation(1.001, 1)).toBe("±0 %");
    expect(formatRelation(null, 1)).toBe("–");
    expect(formatRelation(1, 0)).toBe("–");
  });

  test("name the length of their steps and the time from which they were recorded", () => {
    expect([60_000, 900_000, 3_600_000].map(formatStep)).toEqual(["minute", "15 minutes", "hour"]);
    const nowMs = Date.parse("2026-11-22T12:00:00Z");
    expect(formatSince(Date.parse("2026-11-22T00:16:00Z"), nowMs)).toBe("since 00:16");
    expect(formatSince(Date.parse("2026-11-20T00:16:00Z"), nowMs)).toBe("since 20 Nov");
    expect(formatStepTime(nowMs, 24 * 3_600_000)).toBe("12:00");
    expect(formatStepTime(nowMs, 7 * 24 * 3_600_000)).toBe("22 Nov 12:00");
  });
});
