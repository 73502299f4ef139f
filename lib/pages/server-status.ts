import type { Traffic } from "@/lib/access/usage/traffic";
import type { IntakeCounts } from "@/lib/feeds/intake-counts";
import type { BackfillProgress } from "@/lib/history/backfill/messages";
import type { RecorderCounts } from "@/lib/history/recorder";
import type { Vitals } from "@/lib/platform/vitals";

/** The state of the server, for the operator. */
export interface ServerStatus {
  /** The connection, and the accepted and refused ticks, of each source. */
  readonly feeds: IntakeCounts["sources"];
  readonly recorder: Readonly<RecorderCounts>;
  readonly backfill: BackfillProgress;
  readonly traffic: Traffic;
  readonly vitals: Vitals;
}
