import type { SecondSpelling } from "@/lib/feeds/intake-source";
import type { Refusal } from "@/lib/feeds/refusals";
import type { DataMode } from "@/lib/market/bar";

/** The data of the feeds page. */
export interface FeedsData {
  /** When it was read, UTC milliseconds. */
  readonly readAtMs: number;
  /** Every source, most trusted first; null until the server has reported them. */
  readonly feeds: readonly FeedRow[] | null;
}

/**
 * ok: everything holds · check: prices come, but something is wrong · slow, down, closed: see SourceState · pausing,
 * resuming: an operator wants it, and the server has not reported it yet.
 */
export type FeedCondition = "ok" | "check" | "slow" | "down" | "closed" | "pausing" | "paused" | "resuming";

/** One source, as the page shows it. */
export interface FeedRow {
  readonly name: string;
  readonly kind: string;
  readonly mode: DataMode;
  readonly condition: FeedCondition;
  /** What is wrong, worst first, as short sentences without a full stop. */
  readonly concerns: readonly string[];
  readonly lastMinute: number;
  /** Null if it was not set. */
  readonly expectedPerMinute: number | null;
  /** Milliseconds since the last accepted tick; null before the first. */
  readonly ageMs: number | null;
  readonly clockOffsetMs: number | null;
  readonly latencyMs: number | null;
  readonly connection: string;
  /** Milliseconds since it was connected; null while it is not. */
  readonly connectedForMs: number | null;
  readonly reconnections: number;
  readonly accepted: number;
  /** Gaps in its recorded prices that are not filled. */
  readonly unfilledGaps: number;
  /** The refused ticks of each reason that has some, most first. */
  readonly refusals: readonly FeedRefusal[];
  readonly unresolved: readonly UnresolvedSpelling[];
  /** Spellings that are not quoted because another one of the same instrument is. */
  readonly seconds: readonly SecondSpelling[];
  /** The aliases that operators added. */
  readonly aliases: readonly { readonly spelling: string; readonly symbol: string }[];
  readonly lastError: string | null;
}

export interface FeedRefusal {
  readonly reason: Refusal;
  readonly count: number;
  /** The last ones, newest first. A broker may send anything in place of a number. */
  readonly samples: readonly RefusedSample[];
}

interface RefusedSample {
  readonly spelling: string;
  readonly bid: number | null;
  readonly ask: number | null;
  /** UTC milliseconds; null if it is no time. */
  readonly timeMs: number | null;
}

/** A spelling that names no single instrument. */
export interface UnresolvedSpelling {
  readonly spelling: string;
  /** Symbols that it may mean, the nearest first. */
  readonly candidates: readonly string[];
}
