import { describe, expect, test } from "vitest";
import { relativeTime } from "@/lib/time/relative-time";
import { HOUR_MS } from "@/lib/time/units";

const now = Date.UTC(2026, 0, 5, 12);

describe("relativeTime", () => {
  test.each([
    [0, "just now"],
    [-59_999, "just now"],
    [30_000, "in under a minute"],
    [-60_000, "1 minute ago"],
    [-59 * 60_000, "59 minutes ago"],
    [-HOUR_MS, "1 hour ago"],
    [-47 * HOUR_MS, "47 hours ago"],
    [-49 * HOUR_MS, "2 days ago"],
    [90 * 24 * HOUR_MS - 1_000, "in 90 days"],
    [60 * 60_000 - 1_000, "in 1 hour"],
    [48 * HOUR_MS - 1_000, "in 2 days"],
  ])("says %d ms from now as %s", (ms, text) => {
    expect(relativeTime(now + ms, now)).toBe(text);
  });
});
