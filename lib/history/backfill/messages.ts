import type { PastFeed } from "@/lib/feeds/set/feed-plan";
import type { HourColumns } from "@/lib/history/hour-columns";

/** The messages between the server and the thread that fills the past. */

export interface BackfillTask {
  /** The full UTC hour up to which the past is filled. */
  readonly endMs: number;
  /** When recording began, on the market clock: the open hour lacks the time before. */
  readonly startedAtMs: number;
  readonly past: PastFeed;
}

export type BackfillMessage =
  | { readonly type: "open hour"; readonly columns: HourColumns }
  | { readonly type: "symbol"; readonly symbol: string; readonly isNew: boolean }
  /** The database is unavailable; the thread waits for it. */
  | { readonly type: "interrupted"; readonly reason: string };

/** The progress of back-filling: symbols done, and their total. "off" if the feed has no history. */
export interface BackfillProgress {
  readonly phase: "off" | "filling" | "done" | "failed" | "stopped";
  readonly done: number;
  readonly total: number;
}
