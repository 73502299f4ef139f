import type { CalendarEvent } from "@/lib/calendar/event";
import type { Outcome } from "@/lib/calendar/polarity";

/** What the calendar page is told. Times in UTC milliseconds. */

type Told = Pick<
  CalendarEvent,
  "id" | "certainty" | "currency" | "title" | "impact" | "stream" | "seriesId" | keyof Figures
>;
type Figures = Pick<CalendarEvent, "forecast" | "previous" | "revised" | "actual">;

export interface SheetEvent extends Told {
  /** Of an event without an hour: its day's midnight in the zone of the sheet. */
  readonly timeMs: number;
  readonly hasHour: boolean;
  readonly outcome: Outcome | null;
}

export interface CalendarSheet {
  readonly nowMs: number;
  /** Raised with every change of the calendar. */
  readonly revision: number;
  readonly events: readonly SheetEvent[];
  readonly simulated: boolean;
  /** Whether the account's plan shows released figures. */
  readonly withActual: boolean;
}

/** The answer to somebody who has the newest sheet already. */
export interface UnchangedSheet {
  readonly nowMs: number;
  readonly unchanged: true;
}

/** One release of a series as its chart shows it. */
export interface SeriesPoint {
  readonly timeMs: number;
  readonly forecast: number | null;
  readonly actual: number | null;
  readonly text: string;
}
