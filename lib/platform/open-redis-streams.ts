import type { Logger } from "@/lib/platform/log/log";
import type { RedisStreams } from "@/lib/platform/redis-stream";

/** Opens streams of Redis. Its client, a fifth of the code that a server starts with, is loaded only where it is used. */
export async function openRedisStreams(options: { url: string; log: Logger }): Promise<RedisStreams> {
  const { RedisStreams } = await import("@/lib/platform/redis-stream");
  return new RedisStreams(options);
}
