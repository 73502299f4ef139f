import type { CalendarEvent } from "@/lib/calendar/event";

let made = 0;

/** An event with default values for the fields that a test does not set. */
export function createTestEvent(given: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    id: (++made).toString(16).padStart(16, "0"),
    ...{ stream: "primary", provider: "test", key: null, timeMs: Date.UTC(2026, 10, 21, 13, 30) },
    ...{ zone: "America/New_York", certainty: "exact", currency: "USD", title: "CPI (MoM)", impact: "high" },
    ...{ forecast: "0.2%", previous: "0.3%", revised: null, actual: null, seriesId: "usd-cpi", withdrawn: false },
    ...given,
  };
}
