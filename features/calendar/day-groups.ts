"use client";

import type { PageEvent } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";
import { DAY_MS } from "@/lib/time/units";

/** The lines of the calendar table, top to bottom. */
export type CalendarLine =
  | { readonly kind: "day"; readonly name: string; readonly text: string }
  | { readonly kind: "now" }
  | { readonly kind: "event"; readonly event: PageEvent };

/** What is shown of the events of some days. Empty lists show all. */
export type EventFilter = Pick<CalendarChoice, "currencies" | "impacts" | "kinds" | "search">;

export function matchesFilter({ currency, impact, kind, title }: PageEvent, filter: EventFilter): boolean {
  const { currencies, impacts, kinds } = filter;
  const search = filter.search.trim().toLowerCase();
  return (
    (currencies.length === 0 || currencies.includes(currency)) &&
    (impacts.length === 0 || impacts.includes(impact)) &&
    (kinds.length === 0 || kinds.includes(kind)) &&
    (search === "" || title.toLowerCase().includes(search))
  );
}

/** Groups events under the days of a zone, with a line "now" before the first coming event. */
export function groupByDay(events: readonly PageEvent[], zone: string, nowMs: number): CalendarLine[] {
  const days = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  const words = new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "long", day: "numeric", month: "long" });
  const [today, tomorrow] = [days.format(nowMs), days.format(nowMs + DAY_MS)];
  const lines: CalendarLine[] = [];
  let day = "";
  let isNowShown = false;
  const showNow = (): void => {
    if (!isNowShown) lines.push({ kind: "now" });
    isNowShown = true;
  };
  for (const event of events) {
    const name = days.format(event.timeMs);
    if (event.timeMs > nowMs && name !== day && name > today) showNow();
    if (name !== day) {
      day = name;
      const nearness = name === today ? "Today, " : name === tomorrow ? "Tomorrow, " : "";
      lines.push({ kind: "day", name, text: nearness + words.format(event.timeMs) });
    }
    if (event.timeMs > nowMs) showNow();
    lines.push({ kind: "event", event });
  }
  if (events.length > 0) showNow();
  return lines;
}
