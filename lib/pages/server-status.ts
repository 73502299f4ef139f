import type { Traffic } from "@/lib/access/usage/traffic";
import type { IntakeCounts } from "@/lib/feeds/intake-counts";
import type { BackfillProgress } from "@/lib/history/backfill/messages";
import type { RecorderCounts } from "@/lib/history/recorder";
import type { Vitals } from "@/lib/platform/vitals";

/** The state of the server, for the operator. */
export interface ServerStatus {
  /** Ticks accepted and refused, and the connection, source by source. */
  readonly feeds: IntakeCounts["sources"];
  readonly recorder: Readonly<RecorderCounts>;
  readonly backfill: BackfillProgress;
  readonly traffic: Traffic;
  readonly vitals: Vitals;
}
