import type { FeedSink } from "@/lib/feeds/feed";
import { createRefusalCounts, type RefusalCounts, REFUSALS } from "@/lib/feeds/refusals";

/** What has become of one source's ticks so far. */
export interface SourceCounts {
  readonly source: string;
  accepted: number;
  readonly refused: RefusalCounts;
  /** When the last accepted tick was received, UTC milliseconds; null before the first. */
  lastTickAtMs: number | null;
  /** The feed's latest word on the connection, and when it came; null before the first. */
  status: Parameters<FeedSink["status"]>[1] | null;
  statusAtMs: number | null;
}

/** All sources together, and each. Accepted and refused add up to what was handed in. */
export interface IntakeCounts {
  readonly accepted: number;
  readonly refused: Readonly<RefusalCounts>;
  readonly sources: readonly Readonly<SourceCounts>[];
}

export function createSourceCounts(source: string): SourceCounts {
  const refused = createRefusalCounts();
  return { source, accepted: 0, refused, lastTickAtMs: null, status: null, statusAtMs: null };
}

/** Copies what is given, so that the answer does not change while someone reads it. */
export function sumCounts(counts: readonly SourceCounts[]): IntakeCounts {
  const refused = createRefusalCounts();
  let accepted = 0;
  for (const source of counts) {
    accepted += source.accepted;
    for (const reason of REFUSALS) refused[reason] += source.refused[reason];
  }
  return { accepted, refused, sources: counts.map((source) => ({ ...source, refused: { ...source.refused } })) };
}
