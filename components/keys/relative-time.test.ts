import { describe, expect, it } from "vitest";
import { relativeTime } from "@/components/keys/relative-time";

const HOUR = 3_600_000;
const now = Date.UTC(2026, 0, 5, 12);

describe("relativeTime", () => {
  it.each([
    [0, "just now"],
    [-59_999, "just now"],
    [30_000, "in under a minute"],
    [-60_000, "1 minute ago"],
    [-59 * 60_000, "59 minutes ago"],
    [-HOUR, "1 hour ago"],
    [-47 * HOUR, "47 hours ago"],
    [-49 * HOUR, "2 days ago"],
    [90 * 24 * HOUR - 1_000, "in 90 days"],
    [60 * 60_000 - 1_000, "in 1 hour"],
    [48 * HOUR - 1_000, "in 2 days"],
  ])("says %d ms from now as %s", (ms, text) => {
    expect(relativeTime(now + ms, now)).toBe(text);
  });
});
