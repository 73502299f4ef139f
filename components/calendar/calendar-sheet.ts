import type { Certainty, Impact, Stream } from "@/lib/calendar/event";
import type { Outcome } from "@/lib/calendar/polarity";

/** What the calendar page is told. Times in UTC milliseconds. */

export interface SheetEvent {
  readonly id: string;
  readonly timeMs: number;
  readonly certainty: Certainty;
  readonly currency: string;
  readonly title: string;
  readonly impact: Impact;
  readonly forecast: string;
  readonly previous: string;
  readonly revised: string | null;
  readonly actual: string | null;
  readonly outcome: Outcome | null;
  readonly stream: Stream;
  readonly seriesId: string | null;
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
