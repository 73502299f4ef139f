import { existsSync } from "node:fs";
import * as z from "zod";
import { defineFeedKind } from "@/lib/feeds/kinds/feed-kind";
import { createReplayFeed } from "@/lib/feeds/replay/replay-feed";

export const replayKind = defineFeedKind({
  kind: "replay",
  sources: "several",
  isFallback: false,
  settings: {
    // Checked with the other settings, before the database starts.
    dir: z
      .string()
      .min(1)
      .refine(existsSync, { error: ({ input }) => `there is no folder ${String(input)}` }),
    /** IANA zones by source: Etc/GMT+5 is a fixed UTC−5. */
    zones: z.record(z.string(), z.string()).optional(),
    speed: z.number().min(0.01).max(100_000).optional(),
    time: z.enum(["now", "own"]).optional(),
    from: z.iso.datetime({ offset: true, error: "must be like 2014-05-02T12:00:00Z" }).optional(),
  },
  secrets: {},
  create({ settings: { dir, zones = {}, speed = 1, time = "now", from }, now, monotonic, storedUntilMs, log }) {
    const fromMs = from === undefined ? null : Date.parse(from);
    return createReplayFeed({ dir, zones, speed, time, fromMs, storedUntilMs, now, monotonic, log });
  },
});
