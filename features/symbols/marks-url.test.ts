import { expect, test } from "vitest";
import { mergeByBar, readMarksRequest, toMarksHref } from "@/features/symbols/marks-url";
import { getMean, rollUp } from "@/lib/history/spreads/spread-rollup";
import { HOUR_MS, MINUTE_MS, WEEK_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 18, 9);

test("The spread of a bar is the mean over all its seconds, not the mean of its steps", () => {
  const steps = [
    { startMs: START, rollup: rollUp(new Map([[10, 3]]), 0) },
    { startMs: START + 15 * MINUTE_MS, rollup: rollUp(new Map([[20, 1]]), 0) },
    { startMs: START + HOUR_MS, rollup: rollUp(new Map([[7, 2]]), 0) },
  ];
  const means = Array.from(mergeByBar(steps, "H1"), ([timeMs, rollup]) => [timeMs, getMean(rollup)]);
  // (3 × 10 + 20) / 4
  expect(means).toEqual([
    [START, 12.5],
    [START + HOUR_MS, 7],
  ]);
});

test("The address of the marks covers the shown span and stays the same while the view moves within a week", () => {
  const write = (fromMs: number) =>
    toMarksHref("EURUSD", { timeframe: "H1", fromMs, toMs: fromMs + HOUR_MS, layers: ["events"] });
  expect(write(START)).toBe(write(START + HOUR_MS));
  const request = readMarksRequest(new URL(write(START), "http://localhost").searchParams);
  expect(request).toMatchObject({ timeframe: "H1", layers: ["events"] });
  expect(request?.fromMs).toBeLessThanOrEqual(START - WEEK_MS);
  expect(request?.toMs).toBeGreaterThanOrEqual(START + HOUR_MS + WEEK_MS);
});

test("Marks without a span of time are refused", () => {
  for (const query of ["", "from=1", "from=2&to=1", "from=-5&to=9", "from=0&to=9e15", "from=a&to=b", "from=0.5&to=9"]) {
    expect(readMarksRequest(new URLSearchParams(query)), query).toBeNull();
  }
});
