import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMarketClock } from "@/components/shared/market-clock";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 0, 5, 12);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function startClock() {
  // The browser's clock is wrong by hours, which does not matter.
  vi.setSystemTime(START - 3 * HOUR_MS);
  const onStep = vi.fn();
  const clock = createMarketClock(START, onStep);
  clock.subscribe(() => {});
  vi.advanceTimersByTime(10 * SECOND_MS);
  expect([clock.now(), onStep.mock.calls.length]).toEqual([START + 10 * SECOND_MS, 0]);
  return { clock, onStep };
}

test("A computer whose clock is set back does not make prices look newer", () => {
  const { clock, onStep } = startClock();
  vi.setSystemTime(Date.now() - HOUR_MS);
  expect(clock.now()).toBe(START + 10 * SECOND_MS);
  vi.advanceTimersByTime(5 * SECOND_MS);
  expect([clock.now(), onStep.mock.calls.length]).toEqual([START + 15 * SECOND_MS, 1]);
});

test("A clock that is set forward, or that went on during a suspension, is compared with the server once", () => {
  const { clock, onStep } = startClock();
  vi.setSystemTime(Date.now() + HOUR_MS);
  vi.advanceTimersByTime(2 * SECOND_MS);
  expect([clock.now(), onStep.mock.calls.length]).toEqual([START + HOUR_MS + 12 * SECOND_MS, 1]);
  clock.set(START + 12 * SECOND_MS);
  vi.advanceTimersByTime(3 * SECOND_MS);
  expect([clock.now(), onStep.mock.calls.length]).toEqual([START + 15 * SECOND_MS, 1]);
});
