import fc from "fast-check";
import { expect, test } from "vitest";
import { admit, computeResetSeconds, countRemaining, createMinuteWindow } from "@/lib/access/admission/minute-window";
import { NO_LIMIT } from "@/lib/access/plans";
import { HOUR_MS } from "@/lib/time/units";

const start = Date.UTC(2026, 0, 15, 12, 0, 30);

test("A window opens with the first request and admits exactly the limit", () => {
  const window = createMinuteWindow();
  const admitted = Array.from({ length: 100 }, (_, i) => admit(window, 30, start + i)).filter(Boolean);
  expect(admitted).toHaveLength(30);
  expect(admit(window, 30, start + 59_999)).toBe(false);
  expect(admit(window, 30, start + 60_000)).toBe(true);
});

test("The remaining requests and the end of the window are right", () => {
  const window = createMinuteWindow();
  expect(countRemaining(window, 30, start)).toBe(30);
  expect(computeResetSeconds(window, start)).toBe(60);
  admit(window, 30, start);
  expect(countRemaining(window, 30, start)).toBe(29);
  expect(computeResetSeconds(window, start + 1)).toBe(60);
  expect(computeResetSeconds(window, start + 59_001)).toBe(1);
  expect(countRemaining(window, 30, start + 60_000)).toBe(30);
});

test("The remaining requests are never negative after the limit was lowered", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 20; i++) admit(window, 30, start);
  expect(countRemaining(window, 10, start)).toBe(0);
  expect(admit(window, 10, start)).toBe(false);
});

test("A clock set back keeps the count and blocks calls for a minute at most", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 30; i++) admit(window, 30, start);
  const back = start - HOUR_MS;
  expect(admit(window, 30, back)).toBe(false);
  expect(admit(window, 30, back + 59_999)).toBe(false);
  expect(admit(window, 30, back + 60_000)).toBe(true);
});

test("A window without a limit never refuses", () => {
  const window = createMinuteWindow();
  for (let i = 0; i < 10_000; i++) expect(admit(window, NO_LIMIT, start)).toBe(true);
});

test("No sixty seconds that begin with a window admit more than the limit", () => {
  const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), gaps, (limit, gapsMs) => {
      const window = createMinuteWindow();
      const perWindow = new Map<number, number>();
      let nowMs = start;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        const reset = computeResetSeconds(window, nowMs);
        expect(reset).toBeGreaterThanOrEqual(1);
        expect(reset).toBeLessThanOrEqual(60);
        const passed = admit(window, limit, nowMs);
        if (!passed) expect(admit({ ...window }, limit, nowMs + computeResetSeconds(window, nowMs) * 1000)).toBe(true);
        if (passed) perWindow.set(window.startedAtMs, (perWindow.get(window.startedAtMs) ?? 0) + 1);
      }
      for (const admitted of perWindow.values()) expect(admitted).toBeLessThanOrEqual(limit);
    }),
  );
});
