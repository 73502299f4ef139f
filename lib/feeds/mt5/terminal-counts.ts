/** The answer to a terminal about a batch that is stored. */
export interface PushOutcome {
  readonly ack: number;
  /** The number that was due, if batches before this one are missing. */
  readonly expected?: number;
  /** Whether the batch was stored before. */
  readonly repeated: boolean;
  /** unknown: the offset of the trade server is not measured yet · in_doubt: it may have changed; prices wait. */
  readonly clock: "known" | "in_doubt" | "unknown";
  readonly warning?: string;
}

/** What came from one terminal since the start of this server. Times are UTC milliseconds. */
export interface TerminalCounts {
  batches: number;
  ticks: number;
  /** Batches that came again. */
  repeated: number;
  /** Batches that never came, by the gaps in their numbers. */
  skipped: number;
  /** Batches that show that two terminals use one token or one boot id. */
  conflicts: number;
  /** Ticks that were dropped because the offset of the trade server's clock was not known in time. */
  undated: number;
  broker: string | null;
  lastBatchAtMs: number | null;
  /** How far the clock of the terminal's computer is ahead of ours. */
  computerAheadMs: number | null;
  lastTick: { readonly symbol: string; readonly bid: number; readonly ask: number; readonly atMs: number } | null;
}

export function createTerminalCounts(): TerminalCounts {
  return {
    ...{ batches: 0, ticks: 0, repeated: 0, skipped: 0, conflicts: 0, undated: 0 },
    ...{ broker: null, lastBatchAtMs: null, computerAheadMs: null, lastTick: null },
  };
}
