import { onTestFinished } from "vitest";
import type { Venue } from "@/e2e/venues/kit/open-venue";
import { TEST_CERTIFICATE } from "@/e2e/venues/kit/test-certificate";
import { collect } from "@/lib/feeds/collect.fixture";
import { createFixFeed, type FixSettings } from "@/lib/feeds/venues/fix/fix-feed";
import { silentLog } from "@/lib/platform/log/log";
import { SECOND_MS } from "@/lib/time/units";

/** How long a test waits for what a busy machine does late. */
export const PATIENCE = { timeout: 30 * SECOND_MS, interval: 10 };

/** Starts a feed of a venue, which stops when the test ends. */
export async function startFixFeed(venue: Venue, settings: FixSettings, symbols: readonly string[]) {
  const { sink, ticks, statuses } = collect(0);
  const problems: string[] = [];
  const port = Number(new URL(venue.url).port);
  const feed = createFixFeed({
    ...{ name: "fix", now: Date.now, monotonic: () => performance.now(), random: () => 0, recorder: null },
    log: { ...silentLog, warn: (details: object) => void problems.push(JSON.stringify(details)) } as typeof silentLog,
    settings: {
      ...{ senderCompId: "SPOTLINE", host: "localhost", port, tls: venue.url.startsWith("tls:") },
      ...settings,
    },
    ...{ user: "demo", password: "secret", symbols, ca: TEST_CERTIFICATE },
    times: { silenceMs: 20 * SECOND_MS, retryMs: 10, maxRetryMs: 50 },
  });
  onTestFinished(() => feed.stop());
  await feed.start(sink);
  return { feed, ticks, statuses, problems };
}
