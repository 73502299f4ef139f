import { expect, test } from "vitest";
import {
  formatAge,
  formatCountdown,
  formatExactDuration,
  formatRelativeTime,
  formatTimeLeft,
  formatUptime,
  formatWait,
} from "@/lib/time/duration";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

test.each([
  [-5_000, "0s"],
  [0, "0s"],
  [999, "0s"],
  [59_999, "59s"],
  [60_000, "1m 00s"],
  [252_000, "4m 12s"],
  [3_599_999, "59m 59s"],
  [7_500_000, "2h 05m"],
  [DAY_MS, "1d 0h"],
  [273_600_000, "3d 4h"],
])("An age of %d ms is written %j.", (ms, text) => expect(formatAge(ms)).toBe(text));

test.each([
  [-5, "0m 00s"],
  [0, "0m 00s"],
  [728_001, "12m 09s"],
  [11_100_000, "3h 05m"],
  [90_061_000, "1d 1h"],
])("%d ms left are written %j.", (ms, text) => expect(formatTimeLeft(ms)).toBe(text));

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
])("A wait of %d ms is written %j.", (ms, text) => expect(formatWait(ms)).toBe(text));

test.each([
  [0, "0 s"],
  [62_000, "1 min 2 s"],
  [HOUR_MS, "1 h 0 min"],
  [100_000_000, "1 d 3 h"],
])("An uptime of %d ms is written %j.", (ms, text) => expect(formatUptime(ms)).toBe(text));

test.each([
  [0, "00:00"],
  [898_001, "14:59"],
  [DAY_MS - 1_000, "23:59:59"],
  [DAY_MS, "1 day 00:00:00"],
  [7 * DAY_MS - 1_000, "6 days 23:59:59"],
])("A countdown of %d ms shows %j.", (ms, text) => expect(formatCountdown(ms)).toBe(text));

test.each([
  [HOUR_MS, "1h"],
  [3_600_001, "1h 1s"],
  [5_400_000, "1h 30m"],
  [90_061_000, "1d 1h 1m 1s"],
  [10 * DAY_MS, "10d"],
  [0, "0s"],
])("%d ms are exactly %j.", (ms, text) => expect(formatExactDuration(ms)).toBe(text));

test.each([
  [0, "just now"],
  [-59_999, "just now"],
  [30_000, "in under a minute"],
  [-60_000, "1 minute ago"],
  [-59 * MINUTE_MS, "59 minutes ago"],
  [-HOUR_MS, "1 hour ago"],
  [-47 * HOUR_MS, "47 hours ago"],
  [-49 * HOUR_MS, "2 days ago"],
  [90 * DAY_MS - 1_000, "in 90 days"],
  [HOUR_MS - 1_000, "in 1 hour"],
  [48 * HOUR_MS - 1_000, "in 2 days"],
])("%d ms from now is written %j.", (ms, text) => {
  const now = Date.UTC(2026, 0, 5, 12);
  expect(formatRelativeTime(now + ms, now)).toBe(text);
});
