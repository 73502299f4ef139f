import { toFeedRow } from "@/features/feeds/shape";
import type { FeedsData } from "@/features/feeds/types";
import type { Runtime } from "@/lib/runtime";

/** Reads the state of every source, and what operators want of it. */
export async function readFeeds(runtime: Runtime): Promise<FeedsData> {
  const [status, settings] = await Promise.all([runtime.serverStatus(), runtime.sourceControl.readSettings()]);
  const nowMs = runtime.marketNow();
  return {
    readAtMs: runtime.now(),
    feeds: status?.feeds.map((state) => toFeedRow(state, settings, nowMs)) ?? null,
  };
}
