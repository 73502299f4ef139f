import { describe, expect, test } from "vitest";
import { ServerClock } from "@/lib/feeds/mt5/terminal";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const START = Date.parse("2026-03-08T22:00:00Z");

/** Observes live batches, one a second, of a trade server with this offset. Returns what each call answered. */
function live(clock: ServerClock, fromMs: number, offsetMs: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => {
    const builtAtMs = fromMs + index * SECOND_MS;
    return clock.observe(builtAtMs + offsetMs - 300, builtAtMs);
  });
}

describe("the clock of a trade server", () => {
  test.each([-5, 0, 2, 3, 5.75, 13])("An offset of %d hours is known once three batches agree.", (hours) => {
    const clock = new ServerClock();
    expect(live(clock, START, hours * HOUR_MS, 3)).toEqual([false, false, true]);
    expect(clock.offsetMs).toBe(hours * HOUR_MS);
    expect(clock.toUtc(START + hours * HOUR_MS, START)).toBe(START);
  });

  test("The last ticks of a closed market give no offset, however often they are sent.", () => {
    const clock = new ServerClock();
    const last = START - 40 * HOUR_MS + 2 * HOUR_MS;
    for (let sent = 0; sent < 20_000; sent++) expect(clock.observe(last, START + sent * SECOND_MS)).toBe(false);
    expect(clock.observe(null, START)).toBe(false);
    expect(clock.offsetMs).toBeNull();
    expect(() => clock.toUtc(last, START)).toThrow("not known");
  });

  test.each([
    ["forward", 2, 3],
    ["back", 3, 2],
  ])("A clock that is set %s by an hour gives no tick a time in the future or an hour old.", (_, before, after) => {
    const clock = new ServerClock();
    live(clock, START, before * HOUR_MS, 5);
    const changed = START + HOUR_MS;
    expect(live(clock, changed, after * HOUR_MS, 3)).toEqual([false, false, true]);
    for (const hours of [before, after]) {
      expect(clock.toUtc(changed + hours * HOUR_MS, changed + SECOND_MS)).toBe(changed);
    }
    expect(clock.offsetMs).toBe(after * HOUR_MS);
    const later = changed + 20 * MINUTE_MS;
    expect(clock.toUtc(later + after * HOUR_MS, later)).toBe(later);
    expect(clock.toUtc(later - HOUR_MS + after * HOUR_MS, later)).toBe(later - HOUR_MS);
  });

  test("One odd batch does not change the offset, and the next usual one ends the doubt.", () => {
    const clock = new ServerClock();
    live(clock, START, 2 * HOUR_MS, 3);
    const next = START + MINUTE_MS;
    expect(clock.observe(next + 3 * HOUR_MS, next)).toBe(false);
    expect(clock.observe(null, next)).toBe(false);
    expect(live(clock, next + SECOND_MS, 2 * HOUR_MS, 1)).toEqual([true]);
    expect(clock.offsetMs).toBe(2 * HOUR_MS);
  });

  test("An old tick keeps its age once the offset is known.", () => {
    const clock = new ServerClock();
    live(clock, START, 2 * HOUR_MS, 3);
    const old = START - 20 * MINUTE_MS;
    expect(clock.observe(old + 2 * HOUR_MS, START)).toBe(true);
    expect(clock.toUtc(old + 2 * HOUR_MS, START)).toBe(old);
  });
});
