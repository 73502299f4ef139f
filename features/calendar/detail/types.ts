import type { Frequency } from "@/lib/calendar/event";
import type { Move } from "@/lib/calendar/measure-move";

/** What an open row shows about its event and the series of it. */
export interface EventDetail {
  /** Who reported the event: "MetaTrader 5". */
  readonly source: string;
  /** The publisher's page, and what the series measures, as a source says; null if none does. */
  readonly sourceUrl: string | null;
  readonly description: string | null;
  /** How often the series is released, by its source or else by its times; null if they fit no rhythm. */
  readonly frequency: Frequency | null;
  readonly next: { readonly timeMs: number; readonly hasHour: boolean } | null;
  /** The past releases, newest first, at most 24. */
  readonly releases: readonly PastRelease[];
  /** The symbols of the pairs whose moves can be read. */
  readonly pairs: readonly string[];
}

/** A past release. Without the plan's permission its figures are null. */
export interface PastRelease {
  readonly id: string;
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly hasHour: boolean;
  readonly actual: string | null;
  readonly forecast: string;
  /** Actual and forecast as numbers, for the chart. */
  readonly value: number | null;
  readonly expected: number | null;
  /** The figure as it was first released, if its source corrected it. */
  readonly first: string | null;
  /** What the next release gives for this one, if it differs. */
  readonly revised: string | null;
  readonly surprise: PastSurprise | null;
}

export interface PastSurprise {
  /** In the unit of the figure, with its sign: "+0.2%". */
  readonly text: string;
  readonly sigmas: number | null;
  /** How many earlier surprises the standard deviation is of. */
  readonly n: number;
}

/** The moves of one pair around past releases, newest first. */
export interface PairMoves {
  readonly symbol: string;
  readonly moves: readonly { readonly id: string; readonly timeMs: number; readonly move: Move | null }[];
}
