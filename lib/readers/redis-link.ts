import type { RedisStreams } from "@/lib/platform/redis-stream";
import type { Clock } from "@/lib/platform/timing/clock";
import { ChangeFollower } from "@/lib/readers/change-follower";
import type { ServerStatus } from "@/lib/readers/messages";
import {
  CHANGES_STREAM,
  type PublishedMessage,
  type ReaderRequest,
  REQUEST_EVERY_MS,
  REQUESTS_STREAM,
} from "@/lib/readers/redis-publisher";

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
  const measureTransit = createTransit(monotonic);
  let status: ServerStatus | null = null;
  let newestFence = 0;

  function onMessage({ fence, message }: PublishedMessage, receivedAtMs: number): void {
    // A writer that was stopped does not know at once that another one has taken over.
    if (fence < newestFence) return;
    newestFence = fence;
    if (message.type === "status") status = message.status;
    else follower.onMessage(message, measureTransit(message.sentAtMs, receivedAtMs));
  }

  streams.follow(CHANGES_STREAM, (text, atMs) => onMessage(JSON.parse(text) as PublishedMessage, atMs));
  const timer = setInterval(() => request(follower.needsSnapshot), REQUEST_EVERY_MS).unref();
  return { follower, status: () => status, stop: () => clearInterval(timer) };
}

/**
 * How long messages were under way. The clocks of three machines differ, so the fastest message is taken for one that took
 * no time. Redis's clock may be set, and the writer's stands still while its machine sleeps. A message that is late is late
 * by both, so the one by which less has changed is right, and the other one starts anew from it.
 */
function createTransit(monotonic: Clock) {
  let leastSinceSentMs = Infinity;
  let leastSinceReceivedMs = Infinity;
  return (sentAtMs: number, receivedAtMs: number): number => {
    const nowMs = monotonic();
    const byWriterMs = nowMs - sentAtMs - (leastSinceSentMs + DRIFT_MS);
    const byRedisMs = nowMs - receivedAtMs - (leastSinceReceivedMs + DRIFT_MS);
    const transitMs = Math.max(0, Math.abs(byWriterMs) < Math.abs(byRedisMs) ? byWriterMs : byRedisMs);
    leastSinceSentMs = nowMs - sentAtMs - transitMs;
    leastSinceReceivedMs = nowMs - receivedAtMs - transitMs;
    return transitMs;
  };
}
