import type { FeedCondition, FeedRow } from "@/features/feeds/types";

/** Worst first. */
const ORDER: readonly FeedCondition[] = ["down", "slow", "check", "resuming", "pausing", "paused", "closed", "ok"];

/** How many sources are in each state: "5 sources: 1 down, 4 ok". */
export function summariseFeeds(feeds: readonly Pick<FeedRow, "condition">[]): string {
  const parts = ORDER.flatMap((condition) => {
    const count = feeds.filter((feed) => feed.condition === condition).length;
    return count === 0 ? [] : [`${count} ${condition === "check" ? "to check" : condition}`];
  });
  return `${feeds.length} ${feeds.length === 1 ? "source" : "sources"}: ${parts.join(", ")}`;
}
