import fc from "fast-check";
import { expect, test } from "vitest";
import { computeSpreadWeek } from "@/lib/history/spreads/spread-history";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

const utc = (text: string) => Date.parse(`${text}Z`);

test("Each weekday and hour has the median of its seconds on the zone's clock", () => {
  const quarters = fc.array(fc.record({ at: fc.nat(4 * 24 * 30), spreads: fc.array(fc.nat(9), { minLength: 1 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(quarters, fc.constantFrom("America/New_York", "Asia/Kolkata", "UTC"), (recorded, zone) => {
      // The clocks in New York change within these thirty days.
      const startMs = utc("2026-10-20T00:00");
      const clock = new Intl.DateTimeFormat("en", {
        timeZone: zone,
        weekday: "short",
        hour: "2-digit",
        hourCycle: "h23",
      });
      const bySlot = new Map<string, number[]>();
      for (const { at, spreads } of recorded) {
        const slot = clock.format(startMs + at * QUARTER_HOUR_MS).replace(",", "");
        bySlot.set(slot, [...(bySlot.get(slot) ?? []), ...spreads]);
      }
      const { cells } = computeSpreadWeek(
        recorded.map(({ at, spreads }) => {
          const histogram = new Map<number, number>();
          for (const spread of spreads) histogram.set(spread, (histogram.get(spread) ?? 0) + 1);
          return { startMs: startMs + at * QUARTER_HOUR_MS, histogram };
        }),
        zone,
      );
      for (const [weekday, name] of ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].entries()) {
        for (let hour = 0; hour < 24; hour++) {
          const all = (bySlot.get(`${name} ${String(hour).padStart(2, "0")}`) ?? []).sort((a, b) => a - b);
          expect(cells[weekday]?.[hour] ?? null).toBe(all[Math.ceil(all.length / 2) - 1] ?? null);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("An hour of the day has the median of all days together, not of their medians", () => {
  const { hours, cells } = computeSpreadWeek(
    [
      { startMs: utc("2026-11-16T13:15"), histogram: new Map([[10, 100]]) },
      { startMs: utc("2026-11-17T13:00"), histogram: new Map([[20, 1]]) },
      { startMs: utc("2026-11-18T13:45"), histogram: new Map([[30, 1]]) },
    ],
    "UTC",
  );
  expect(hours[13]).toBe(10);
  expect(hours[14]).toBeNull();
  expect([cells[1]?.[13], cells[2]?.[13], cells[3]?.[13]]).toEqual([10, 20, 30]);
});
