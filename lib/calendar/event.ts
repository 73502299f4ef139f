/**
 * Economic events: releases, decisions, speeches and holidays. Two streams tell of them. Rows of the primary stream
 * receive the released figure and belong to a series; rows of the secondary stream never do, whatever their source says.
 */

export const STREAMS = ["primary", "secondary"] as const;
export type Stream = (typeof STREAMS)[number];

export const IMPACTS = ["high", "medium", "low"] as const;
export type Impact = (typeof IMPACTS)[number];

/** `tentative`: the day is known, or less; `all_day`: the time is the day's midnight in the source's zone. */
export const CERTAINTIES = ["exact", "tentative", "all_day"] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** What a source tells of one release. A field left out was not told, and what is known of it stays. */
export interface ReportedEvent {
  /** The source's own name for the release; null where it has none. */
  readonly key: string | null;
  /** UTC milliseconds. */
  readonly timeMs: number;
  /** The IANA zone the source tells its times in. */
  readonly zone: string;
  readonly certainty: Certainty;
  readonly currency: string;
  readonly title: string;
  readonly impact: Impact;
  /** Figures are text, because their units vary: "0.3%", "1.2M", "". */
  readonly forecast?: string;
  readonly previous?: string;
  /** What `previous` was revised to. */
  readonly revised?: string | null;
  readonly actual?: string | null;
  readonly seriesId?: string | null;
}

/** A row as the calendar keeps it. */
export interface CalendarEvent {
  /** 16 hexadecimal characters: the same for as long as the row exists. */
  readonly id: string;
  readonly stream: Stream;
  readonly provider: string;
  readonly key: string | null;
  readonly timeMs: number;
  readonly zone: string;
  readonly certainty: Certainty;
  readonly currency: string;
  readonly title: string;
  readonly impact: Impact;
  readonly forecast: string;
  readonly previous: string;
  readonly revised: string | null;
  readonly actual: string | null;
  readonly seriesId: string | null;
  /** Whether the source no longer lists it: it is then not shown. */
  readonly withdrawn: boolean;
}

/** What a source told at one moment. */
export interface Report {
  readonly stream: Stream;
  /** Who tells it: a connector's name, or the one given to an import. Rows of one provider never stand for another's. */
  readonly provider: string;
  /** The file, address or terminal it came from, for the history of each row. */
  readonly origin: string;
  /** When it was told, UTC milliseconds. */
  readonly atMs: number;
  readonly events: readonly ReportedEvent[];
  /** The span in which nothing else is scheduled, both ends inclusive; left out where the report is only a part. */
  readonly complete?: { readonly fromMs: number; readonly toMs: number };
}

/** One field of a row that became another. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}
