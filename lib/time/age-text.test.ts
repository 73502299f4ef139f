import { describe, expect, test } from "vitest";
import { ageText } from "@/lib/time/age-text";
import { DAY_MS } from "@/lib/time/units";

describe("ageText", () => {
  test.each([
    [-5_000, "0s"],
    [0, "0s"],
    [999, "0s"],
    [59_999, "59s"],
    [60_000, "1m 00s"],
    [252_000, "4m 12s"],
    [3_599_999, "59m 59s"],
    [7_500_000, "2h 05m"],
    [DAY_MS, "1d 0h"],
    [273_600_000, "3d 4h"],
  ])("says %d ms as %s", (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
