import type { PageEvent } from "@/features/calendar/types";
import type { CalendarChoice } from "@/features/calendar/url";
import { DAY_MS } from "@/lib/time/units";

/** The lines of the calendar table, top to bottom. */
export type CalendarLine =
  | { readonly kind: "day"; readonly name: string; readonly text: string }
  | { readonly kind: "now" }
  | { readonly kind: "event"; readonly event: PageEvent };

/** Returns the events that match the filters of a choice. */
export function filterEvents(events: readonly PageEvent[], choice: CalendarChoice): PageEvent[] {
  const search = choice.search.trim().toLowerCase();
  return events.filter(
    ({ currency, impact, title }) =>
      (choice.currencies.length === 0 || choice.currencies.includes(currency)) &&
      (choice.impacts.length === 0 || choice.impacts.includes(impact)) &&
      (search === "" || title.toLowerCase().includes(search)),
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
