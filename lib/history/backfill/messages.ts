import type { HourColumns } from "@/lib/history/hour-columns";

/** What the thread that fills the past is told, and what it tells. */
export interface BackfillTask {
  /** The UTC hour up to which hours are over. */
  readonly endMs: number;
  /** When recording began, on the market clock: what came before is missing in the open hour. */
  readonly startedAtMs: number;
  /** Names of the feed's sources, most trusted first. */
  readonly sources: readonly string[];
}

export type BackfillMessage =
  | { readonly type: "open hour"; readonly columns: HourColumns }
  | { readonly type: "symbol"; readonly symbol: string; readonly isNew: boolean };

/** How far back-filling has come: symbols done, of all. "off" where the feed cannot tell the past. */
export interface BackfillProgress {
  readonly phase: "off" | "filling" | "done" | "failed" | "stopped";
  readonly done: number;
  readonly total: number;
}
