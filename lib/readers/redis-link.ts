import type { RedisStreams } from "@/lib/platform/redis-stream";
import { type Clock, systemClock } from "@/lib/platform/timing/clock";
import { ChangeFollower } from "@/lib/readers/change-follower";
import {
  CHANGES_STREAM,
  type PublishedMessage,
  type ReaderRequest,
  REQUEST_EVERY_MS,
  REQUESTS_STREAM,
} from "@/lib/readers/redis-messages";
import type { ServerStatus } from "@/lib/readers/server-status";

/** The link of a server to a writer on another machine: the channel over Redis. */
export interface RedisLink {
  readonly follower: ChangeFollower;
  status(): ServerStatus | null;
  stop(): void;
}

const MAX_REQUESTS = 100;
/** How fast clocks of two machines may drift apart, in milliseconds for each message. */
const DRIFT_MS = 0.01;

/** Follows the changes that a writer publishes over Redis. */
export function linkByRedis(streams: Pick<RedisStreams, "add" | "follow">, monotonic: Clock): RedisLink {
  const request = (wantsSnapshot: boolean) => {
    const body: ReaderRequest = { wantsSnapshot };
    streams.add(REQUESTS_STREAM, JSON.stringify(body), MAX_REQUESTS);
  };
  const follower = new ChangeFollower({ monotonic, requestSnapshot: () => request(true) });
  const measureTransit = createTransit(systemClock);
  let status: ServerStatus | null = null;
  let newestFence = 0;

  function onMessage({ fence, message }: PublishedMessage, receivedAtMs: number): void {
    // A writer that was stopped does not know at once that another one has taken over.
    if (fence < newestFence) return;
    newestFence = fence;
    if (message.type === "status") status = message.status;
    else follower.onMessage(message, measureTransit(receivedAtMs));
  }

  void streams.follow(CHANGES_STREAM, (text, atMs) => onMessage(JSON.parse(text) as PublishedMessage, atMs));
  const timer = setInterval(() => request(follower.needsSnapshot), REQUEST_EVERY_MS).unref();
  return { follower, status: () => status, stop: () => clearInterval(timer) };
}

/**
 * How long messages were under way. The clocks of two machines differ, so the fastest message is taken for one that took
 * no time.
 */
function createTransit(system: Clock) {
  let leastMs = Infinity;
  return (receivedAtMs: number): number => {
    const passedMs = system() - receivedAtMs;
    leastMs = Math.min(leastMs + DRIFT_MS, passedMs);
    return passedMs - leastMs;
  };
}
