/** Why a source sent no prices: its connection, an operator, a change of its settings, or no server ran. */
export type GapReason = "disconnected" | "paused" | "reloaded" | "stopped";

/** A time without prices of a source although a market of it was open. Plain data, times in UTC milliseconds. */
export interface SourceGap {
  readonly source: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly reason: GapReason;
}

/** What an operator is shown of the gaps of one source that are not filled. */
export interface GapSummary {
  readonly count: number;
  /** Newest first. */
  readonly latest: readonly SourceGap[];
}
