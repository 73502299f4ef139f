import type { CalendarEvent, EventKind } from "@/lib/calendar/event";
import type { Outcome } from "@/lib/calendar/figure";

/** The fields of an event that the page shows as they are. */
type SharedFields = Pick<
  CalendarEvent,
  "id" | "certainty" | "currency" | "title" | "impact" | "stream" | "seriesId" | keyof Figures
>;
type Figures = Pick<CalendarEvent, "forecast" | "previous" | "revised" | "actual">;

export interface PageEvent extends SharedFields {
  /** UTC milliseconds; of an event without an hour, its day's midnight in the page's zone. */
  readonly timeMs: number;
  readonly hasHour: boolean;
  readonly kind: EventKind;
  readonly outcome: Outcome | null;
}

export interface CalendarData {
  readonly nowMs: number;
  /** Raised with every change of the calendar. */
  readonly revision: number;
  readonly events: readonly PageEvent[];
  readonly simulated: boolean;
  /** Whether the account's plan shows released figures. */
  readonly withActual: boolean;
}

/** The answer to a page that has the newest revision. */
export interface UnchangedData {
  readonly nowMs: number;
  readonly unchanged: true;
}

/** The events of the next hour. */
export type UpcomingData = Pick<CalendarData, "nowMs" | "events">;
