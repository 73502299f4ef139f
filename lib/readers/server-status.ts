import type { Traffic } from "@/lib/access/usage/traffic";
import type { Health } from "@/lib/api/service/health-check";
import type { TerminalState } from "@/lib/feeds/mt5/terminals";
import type { SetChange } from "@/lib/feeds/set/feed-set";
import type { SourceState } from "@/lib/feeds/set/source-state";
import type { BackfillProgress } from "@/lib/history/backfill/messages";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import type { Vitals } from "@/lib/platform/vitals";

/** The state of the server, for the operator. */
export interface ServerStatus {
  readonly health: Health;
  /** The connection, the pace and the refused ticks of each source, most trusted first. */
  readonly feeds: readonly SourceState[];
  /** The latest request to read the file of sources again, by its number, and what came of it. */
  readonly reload: {
    readonly request: number;
    readonly change: SetChange | null;
    readonly error: string | null;
  };
  /** What came from the terminals that push. */
  readonly terminals: readonly TerminalState[];
  readonly recorder: RecordingStatus;
  readonly backfill: BackfillProgress;
  readonly traffic: Traffic;
  readonly vitals: Vitals;
}
