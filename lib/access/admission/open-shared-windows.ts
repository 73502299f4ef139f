import { createSharedWindows, type SharedWindows } from "@/lib/access/admission/shared-windows";
import type { Clock } from "@/lib/platform/clock";
import type { Logger } from "@/lib/platform/log";
import { openRedis } from "@/lib/platform/redis";

interface OpenedWindows {
  /** Null where this process counts by itself. */
  readonly windows: SharedWindows | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The windows that processes share through a Redis, over a connection of their own; none without settings. */
export function openSharedWindows(
  settings: { url: string; deadlineMs: number } | null,
  { now, log }: { now: Clock; log: Logger },
): OpenedWindows {
  if (settings === null) return { windows: null, start: async () => {}, stop: async () => {} };
  const redis = openRedis({ ...settings, log, onBack: () => windows.settle() });
  const windows = createSharedWindows(redis, now);
  return { windows, start: redis.start, stop: redis.stop };
}
