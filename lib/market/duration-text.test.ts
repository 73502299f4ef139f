import { expect, test } from "vitest";
import { durationText } from "@/lib/market/duration-text";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

test.each([
  [0, "<1m"],
  [MINUTE_MS - 1, "<1m"],
  [MINUTE_MS, "1m"],
  [45 * MINUTE_MS + 59_999, "45m"],
  [HOUR_MS, "1h 0m"],
  [2 * HOUR_MS + 15 * MINUTE_MS, "2h 15m"],
  [24 * HOUR_MS - 1, "23h 59m"],
  [24 * HOUR_MS, "1d 0h"],
  [27.9 * HOUR_MS, "1d 3h"],
])("says %d ms as %s", (durationMs, text) => expect(durationText(durationMs)).toBe(text));
