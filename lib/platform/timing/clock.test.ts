import { expect, test } from "vitest";
import { silentLog } from "@/lib/platform/log/log";
import { SteadyClock } from "@/lib/platform/timing/steady-clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const START_MS = Date.parse("2026-03-04T10:10:00Z");

function setUp() {
  const state = { elapsedMs: 5_000, setByMs: 0 };
  const steps: number[] = [];
  const clock = new SteadyClock({
    system: () => START_MS + state.elapsedMs - 5_000 + state.setByMs,
    monotonic: () => state.elapsedMs,
    onStep: (stepMs) => steps.push(stepMs),
    log: silentLog,
  });
  /** Lets time pass, as a feed that reads the clock all the time. Returns the time since the start. */
  const pass = (ms: number) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= SECOND_MS) {
      state.elapsedMs += Math.min(leftMs, SECOND_MS);
      clock.now();
    }
    return clock.now() - START_MS;
  };
  return { clock, state, steps, pass };
}

test("An hour's step of the system clock that is undone within a minute has no effect", () => {
  const { clock, state, steps, pass } = setUp();
  pass(10_000);
  state.setByMs = HOUR_MS;
  expect(pass(25_000)).toBe(35_000);
  expect(clock.isSystemClockOff).toBe(true);
  state.setByMs = 0;
  expect(pass(5_000)).toBe(40_000);
  expect(clock.isSystemClockOff).toBe(false);
  expect(steps).toEqual([]);
});

test.each([HOUR_MS, -HOUR_MS])("A step by %i ms is followed once it has lasted a minute", (stepMs) => {
  const { clock, state, steps, pass } = setUp();
  state.setByMs = stepMs;
  expect(pass(MINUTE_MS)).toBe(MINUTE_MS);
  expect(pass(SECOND_MS)).toBe(MINUTE_MS + SECOND_MS + stepMs);
  expect(clock.isSystemClockOff).toBe(false);
  expect(steps).toEqual([stepMs]);
});

test("A clock that is set again while a step is waited for is waited for anew", () => {
  const { state, steps, pass } = setUp();
  state.setByMs = HOUR_MS;
  pass(50_000);
  state.setByMs = 2 * HOUR_MS;
  expect(pass(50_000)).toBe(100_000);
  pass(15_000);
  expect(steps).toEqual([2 * HOUR_MS]);
});

test("Small corrections of the system clock are followed at once", () => {
  const { state, steps, pass } = setUp();
  state.setByMs = -800;
  expect(pass(10_000)).toBe(9_200);
  state.setByMs = -1_600;
  expect(pass(10_000)).toBe(18_400);
  expect(steps).toEqual([]);
});
