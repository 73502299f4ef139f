import { expect, test } from "vitest";
import { formatOffset, readLook } from "@/features/terminals/terminals-view";
import { createTerminalCounts } from "@/lib/feeds/mt5/terminal";
import { HOUR_MS } from "@/lib/time/units";

const NOW = Date.UTC(2026, 2, 9, 10);
const token = { id: "1", source: "icm", start: "fxi_ab", last4: "cdef", createdAtMs: NOW, endedAtMs: null };
const connected = { ...createTerminalCounts(), id: "1", offsetMs: null, lastBatchAtMs: NOW - 1_000 };

test.each([
  ["waiting for the first tick", { ...token, lastUsedAtMs: null, state: null }],
  ["connected, waiting for the first tick", { ...token, lastUsedAtMs: NOW, state: connected }],
  ["measuring the trade server’s clock", { ...token, lastUsedAtMs: NOW, state: { ...connected, ticks: 1 } }],
  [
    "receiving, server time UTC+3",
    { ...token, lastUsedAtMs: NOW, state: { ...connected, ticks: 9, offsetMs: 3 * HOUR_MS } },
  ],
  ["silent for 1m 00s", { ...token, lastUsedAtMs: NOW, state: { ...connected, lastBatchAtMs: NOW - 60_000 } }],
  ["ended", { ...token, endedAtMs: NOW, lastUsedAtMs: NOW, state: connected }],
])("A terminal is shown as %s.", (text, terminal) => expect(readLook(terminal, NOW).text).toBe(text));

test("An offset has its minutes only where it has some.", () => {
  expect([3, -4.5, 0, 5.75].map((hours) => formatOffset(hours * HOUR_MS))).toEqual([
    "UTC+3",
    "UTC−4:30",
    "UTC+0",
    "UTC+5:45",
  ]);
});
