/**
 * Economic events: releases, decisions, speeches and holidays, in two streams. Rows of the primary stream receive the
 * released figure and belong to a series. Rows of the secondary stream never do, even if their source reports one.
 */

export const STREAMS = ["primary", "secondary"] as const;
export type Stream = (typeof STREAMS)[number];

export const IMPACTS = ["high", "medium", "low"] as const;
export type Impact = (typeof IMPACTS)[number];

/** `tentative`: the hour or even the day is uncertain. `all_day`: the time is midnight in the source's zone. */
export const CERTAINTIES = ["exact", "tentative", "all_day"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** The fields that a source reports and the calendar stores unchanged. */
interface EventBase {
  /** The source's own identifier of the release; null if it has none. */
  readonly key: string | null;
  /** UTC milliseconds. */
  readonly timeMs: number;
  /** The IANA zone of the source's times. */
  readonly zone: string;
  readonly certainty: Certainty;
  readonly currency: string;
  readonly title: string;
  readonly impact: Impact;
}

/** Figures are text, because their units vary: "0.3%", "1.2M", "". */
interface EventFigures {
  readonly forecast: string;
  readonly previous: string;
  /** The value that `previous` was revised to. */
  readonly revised: string | null;
  readonly actual: string | null;
  readonly seriesId: string | null;
}

/** How often a series is released. */
export const FREQUENCIES = ["daily", "weekly", "monthly", "quarterly", "yearly"] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** What a source says about the series of an event. Nothing of it is made up: a field without a source is left out. */
export interface SeriesAbout {
  readonly frequency?: Frequency | undefined;
  /** The page of the publisher, http or https. */
  readonly sourceUrl?: string | undefined;
  /** What the series measures. */
  readonly description?: string | undefined;
}

/** One release as a source reports it. A field that is left out keeps its stored value. */
export interface ReportedEvent extends EventBase, Partial<EventFigures> {
  readonly about?: SeriesAbout;
}

/** A row of the calendar. */
export interface CalendarEvent extends EventBase, EventFigures {
  /** 16 hexadecimal characters that never change. */
  readonly id: string;
  readonly stream: Stream;
  readonly provider: string;
  /** True if the source no longer lists the row. The row is then hidden. */
  readonly withdrawn: boolean;
}

/** The events that a source reports at one moment. */
export interface Report {
  readonly stream: Stream;
  /** The connector's name, or the name given to an import. A report never changes rows of another provider. */
  readonly provider: string;
  /** The file, address or terminal, recorded with each change. */
  readonly origin: string;
  /** The time of the report, UTC milliseconds. */
  readonly atMs: number;
  readonly events: readonly ReportedEvent[];
  /** The span that the report covers completely, both ends inclusive. Left out for a partial report. */
  readonly complete?: { readonly fromMs: number; readonly toMs: number };
}

/** One changed field of a row. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What an event is. Sources do not say so in the same way, so it follows from the title and the figures. */
export const EVENT_KINDS = ["figure", "statement", "auction", "holiday"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

type Named = Pick<CalendarEvent, "title" | "forecast" | "previous" | "actual">;

/**
 * Returns the kind of an event: a holiday or an auction by its title, a figure if any is expected, known or released.
 * The others are statements: speeches, minutes, press conferences and meetings.
 */
export function getEventKind({ title, forecast, previous, actual }: Named): EventKind {
  if (/\bholidays?\b/i.test(title)) return "holiday";
  if (/\bauction\b/i.test(title)) return "auction";
  return forecast !== "" || previous !== "" || actual !== null ? "figure" : "statement";
}
