import type { UsageKey } from "@/features/usage/types";
import type { LoggedRequest, RefusalCount, RequestOutcome } from "@/lib/access/requests/request-report";

/** The view in the address of the request log. Null means all. */
export interface RequestView {
  /** Another account's log, which only operators may see; null for one's own. */
  readonly accountId: string | null;
  readonly keyId: string | null;
  readonly endpoint: string | null;
  readonly outcome: RequestOutcome | null;
  readonly code: string | null;
  readonly text: string;
  /** The row that the page continues after; null for the newest rows. */
  readonly beforeId: number | null;
}

/** One page of the log. */
export interface RequestsData {
  readonly rows: readonly LoggedRequest[];
  readonly hasOlder: boolean;
  /** Of the whole account, whatever the view. */
  readonly refusals: readonly RefusalCount[];
  readonly keys: readonly UsageKey[];
}
