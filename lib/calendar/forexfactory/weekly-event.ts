import type { ReportedEvent } from "@/lib/calendar/event";
import { parseImpact } from "@/lib/calendar/impact-words";
import type { SourceTime } from "@/lib/calendar/source-time";

/** A row of the weekly file, as JSON or as XML. */
interface WeeklyRow {
  readonly title: string;
  /** The currency code. */
  readonly country: string;
  readonly impact: string;
  readonly forecast?: string | null | undefined;
  readonly previous?: string | null | undefined;
}

/** The weekly file has no identifiers, no actuals and no series. */
export function toWeeklyEvent(row: WeeklyRow, time: SourceTime, zone: string): ReportedEvent {
  const isHoliday = row.impact.toLowerCase() === "holiday";
  return {
    key: null,
    timeMs: time.timeMs,
    zone,
    certainty: isHoliday ? "all_day" : time.certainty,
    currency: row.country.toUpperCase(),
    title: row.title,
    impact: parseImpact(row.impact) ?? "low",
    forecast: row.forecast ?? "",
    previous: row.previous ?? "",
  };
}
