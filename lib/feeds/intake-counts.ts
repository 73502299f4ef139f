import type { FeedSink } from "@/lib/feeds/feed";
import { createRefusalCounts, type Refusal, type RefusalCounts, REFUSALS } from "@/lib/feeds/refusals";
import type { Tick } from "@/lib/market/tick";

/** A refused tick, as the broker sent it. Times in UTC milliseconds. */
type RefusedTick = Omit<Tick, "source">;

/** The accepted and refused ticks of one source since the start. */
export interface SourceCounts {
  readonly source: string;
  accepted: number;
  readonly refused: RefusalCounts;
  /** The last few refused ticks of each reason, oldest first. */
  readonly samples: Partial<Record<Refusal, readonly RefusedTick[]>>;
  /** When the last accepted tick was received, UTC milliseconds; null before the first. */
  lastTickAtMs: number | null;
  /** The feed's last report about the connection, and when it came; null before the first. */
  status: Parameters<FeedSink["status"]>[1] | null;
  statusAtMs: number | null;
  /** What the feed said about it. */
  statusDetail: string | null;
  /** Since when it is connected without interruption; null while it is not. */
  connectedSinceMs: number | null;
  /** How often it was connected again after an interruption. */
  reconnections: number;
}

/** The totals of all sources, and each source's own. Accepted and refused add up to the ticks received. */
export interface IntakeCounts {
  readonly accepted: number;
  readonly refused: Readonly<RefusalCounts>;
  readonly sources: readonly Readonly<SourceCounts>[];
}

const MAX_SAMPLES = 5;

export function createSourceCounts(source: string): SourceCounts {
  return {
    source,
    accepted: 0,
    refused: createRefusalCounts(),
    samples: {},
    lastTickAtMs: null,
    status: null,
    statusAtMs: null,
    statusDetail: null,
    connectedSinceMs: null,
    reconnections: 0,
  };
}

export function addRefusal(counts: SourceCounts, reason: Refusal, { source: _source, ...tick }: Tick): void {
  counts.refused[reason]++;
  counts.samples[reason] = [...(counts.samples[reason] ?? []), tick].slice(-MAX_SAMPLES);
}

export function addStatus(
  counts: SourceCounts,
  status: Parameters<FeedSink["status"]>[1],
  detail: string | undefined,
  nowMs: number,
): void {
  if (status !== "connected") counts.connectedSinceMs = null;
  else if (counts.connectedSinceMs === null) {
    if (counts.status !== null) counts.reconnections++;
    counts.connectedSinceMs = nowMs;
  }
  counts.status = status;
  counts.statusAtMs = nowMs;
  counts.statusDetail = detail ?? null;
}

/** Copies the counts, so that the result does not change later. */
export function sumCounts(counts: readonly SourceCounts[]): IntakeCounts {
  const refused = createRefusalCounts();
  let accepted = 0;
  for (const source of counts) {
    accepted += source.accepted;
    for (const reason of REFUSALS) refused[reason] += source.refused[reason];
  }
  const copies = counts.map((source) => ({
    ...source,
    refused: { ...source.refused },
    samples: { ...source.samples },
  }));
  return { accepted, refused, sources: copies };
}
