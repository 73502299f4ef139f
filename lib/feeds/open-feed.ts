import type { Feed } from "@/lib/feeds/feed";
import { createReplayFeed } from "@/lib/feeds/replay/replay-feed";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log";

/**
 * Creates the feed that the configuration selects, and the clock of its prices. Throws an Error with a readable message
 * if the feed cannot be opened.
 */
export function openFeed(
  config: Config,
  { now, instruments, log }: { now: Clock; instruments: readonly Instrument[]; log: Logger },
): { feed: Feed; marketNow: Clock } {
  const { dir, ...replay } = config.replay;
  if (config.feed === "replay" && dir !== null) {
    const feed = createReplayFeed({ ...replay, dir, now, log });
    return { feed, marketNow: feed.marketNow };
  }
  return { feed: createSimulatedFeed({ ...config.simulated, now, instruments, log }), marketNow: now };
}
