import type { FeedSink } from "@/lib/feeds/feed";
import { createRefusalCounts, type RefusalCounts, REFUSALS } from "@/lib/feeds/refusals";

/** The accepted and refused ticks of one source since the start. */
export interface SourceCounts {
  readonly source: string;
  accepted: number;
  readonly refused: RefusalCounts;
  /** When the last accepted tick was received, UTC milliseconds; null before the first. */
  lastTickAtMs: number | null;
  /** The feed's last report about the connection, and when it came; null before the first. */
  status: Parameters<FeedSink["status"]>[1] | null;
  statusAtMs: number | null;
}

/** The totals of all sources, and each source's own. Accepted and refused add up to the ticks received. */
export interface IntakeCounts {
  readonly accepted: number;
  readonly refused: Readonly<RefusalCounts>;
  readonly sources: readonly Readonly<SourceCounts>[];
}

export function createSourceCounts(source: string): SourceCounts {
  const refused = createRefusalCounts();
  return { source, accepted: 0, refused, lastTickAtMs: null, status: null, statusAtMs: null };
}

/** Copies the counts, so that the result does not change later. */
export function sumCounts(counts: readonly SourceCounts[]): IntakeCounts {
  const refused = createRefusalCounts();
  let accepted = 0;
  for (const source of counts) {
    accepted += source.accepted;
    for (const reason of REFUSALS) refused[reason] += source.refused[reason];
  }
  return { accepted, refused, sources: counts.map((source) => ({ ...source, refused: { ...source.refused } })) };
}
