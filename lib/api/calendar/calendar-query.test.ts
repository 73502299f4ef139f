import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readWindow } from "@/lib/api/calendar/calendar-query";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const now = Date.UTC(2026, 10, 21, 14, 5, 6, 789);
const iso = (ms: number) => new Date(ms).toISOString();

describe("the calendar's window", () => {
  test("is seven days from today by default", () => {
    expect(readWindow({}, now)).toEqual({
      fromMs: Date.UTC(2026, 10, 21),
      toMs: Date.UTC(2026, 10, 28),
      newestFirst: false,
    });
    expect(readWindow({ from: "2026-10-25T02:00:00+02:00" }, now)).toMatchObject({
      fromMs: Date.UTC(2026, 9, 25),
      toMs: Date.UTC(2026, 10, 1),
    });
    expect(readWindow({ to: "2026-11-22" }, now)).toMatchObject({ fromMs: Date.UTC(2026, 10, 21) });
  });

  test("starts and ends at the current second with rolling hours, which override the dates", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 720 }),
        fc.integer({ min: 1, max: 96 }),
        fc.string(),
        (next, prev, invalid) => {
          const at = Math.floor(now / 1000) * 1000;
          const dates = { from: invalid, to: invalid };
          const [ahead, back] = [at + next * HOUR_MS, at - prev * HOUR_MS];
          expect(readWindow({ ...dates, next_hours: next }, now)).toEqual({
            fromMs: at,
            toMs: ahead,
            newestFirst: false,
          });
          expect(readWindow({ ...dates, prev_hours: prev }, now)).toEqual({
            fromMs: back,
            toMs: at,
            newestFirst: true,
          });
          if (next + prev > 720) return;
          const both = readWindow({ ...dates, next_hours: next, prev_hours: prev }, now);
          expect(both).toEqual({ fromMs: back, toMs: ahead, newestFirst: false });
        },
      ),
    );
  });

  test("may span thirty days to the second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000_000 }), fc.integer({ min: 0, max: 100 * DAY_MS }), (s, span) => {
        const fromMs = s * 1000;
        const toMs = fromMs + Math.floor(span / 1000) * 1000;
        const query = { from: iso(fromMs), to: iso(toMs) };
        if (toMs - fromMs <= 30 * DAY_MS) expect(readWindow(query, now)).toMatchObject({ fromMs, toMs });
        else expect(() => readWindow(query, now)).toThrow(expect.objectContaining({ code: "RANGE_TOO_LARGE" }));
      }),
    );
    const from = "2026-11-01";
    expect(readWindow({ from, to: "2026-12-01T00:00:00" }, now).toMs).toBe(Date.UTC(2026, 11, 1));
    expect(() => readWindow({ from, to: "2026-12-01T00:00:01" }, now)).toThrow(
      expect.objectContaining({ code: "RANGE_TOO_LARGE", extra: { requested_days: 31 } }),
    );
    expect(() => readWindow({ next_hours: 720, prev_hours: 1 }, now)).toThrow(
      expect.objectContaining({ code: "RANGE_TOO_LARGE", extra: { requested_days: 31 } }),
    );
  });

  test.each([{ from: "" }, { from: "2026-02-30" }, { to: "soon" }, { from: "2026-11-22", to: "2026-11-21" }])(
    "cannot have the dates %o",
    (query) => {
      expect(() => readWindow(query, now)).toThrow(expect.objectContaining({ code: "INVALID_DATE", status: 400 }));
    },
  );
});
