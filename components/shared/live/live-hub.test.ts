import { describe, expect, test } from "vitest";
import { mergeLists, mergeRows } from "@/components/shared/live/live-hub";

describe("A part of a topic", () => {
  const whole = {
    nowMs: 1,
    catalog: "a",
    rows: [
      ["EURUSD", 1.1],
      ["GBPUSD", 1.3],
    ],
    days: [["EURUSD", 0]],
  };

  test("replaces the rows that it has, adds new ones, and keeps the others", () => {
    const part = {
      nowMs: 2,
      rows: [
        ["GBPUSD", 1.4],
        ["USDJPY", 150],
      ],
    };
    expect(mergeLists(whole, part, mergeRows)).toEqual({
      nowMs: 2,
      catalog: "a",
      rows: [
        ["EURUSD", 1.1],
        ["GBPUSD", 1.4],
        ["USDJPY", 150],
      ],
      days: [["EURUSD", 0]],
    });
  });

  test("without rows changes only the time, and does not change what was sent before", () => {
    const before = structuredClone(whole);
    expect(mergeLists(whole, { nowMs: 3, rows: [] }, mergeRows)).toEqual({ ...whole, nowMs: 3 });
    expect(whole).toEqual(before);
  });

  test("may bring the first rows of a list", () => {
    const part = { nowMs: 2, rows: [["EURUSD", 1]], days: [["EURUSD", 5]] };
    expect(mergeLists({ nowMs: 1, rows: [] }, part, mergeRows)).toEqual({
      nowMs: 2,
      rows: [["EURUSD", 1]],
      days: [["EURUSD", 5]],
    });
  });
});
