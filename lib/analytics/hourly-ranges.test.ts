import { expect, test } from "vitest";
import { computeHourlyRanges } from "@/lib/analytics/hourly-ranges";

const bar = (time: string, range: number) => {
  return { timeMs: Date.parse(`${time}:00Z`), open: 1, high: 1 + range, low: 1, close: 1, volume: 1 };
};

test("The range of an hour is the median of its bars on the zone's clock, also after a clock change", () => {
  const bars = [
    bar("2026-10-20T13:00", 9),
    // New York is four hours behind UTC until 1 November, then five.
    bar("2026-10-29T13:00", 1),
    bar("2026-10-30T13:00", 4),
    bar("2026-11-02T14:00", 2),
    bar("2026-11-02T15:00", 7),
  ];
  const ranges = computeHourlyRanges(bars, "America/New_York", Date.parse("2026-10-21T00:00Z"));
  expect(ranges).toHaveLength(24);
  expect(ranges[9]).toBeCloseTo(2, 12);
  expect(ranges[10]).toBeCloseTo(7, 12);
  expect(ranges.filter((range) => range !== null)).toHaveLength(2);
});
