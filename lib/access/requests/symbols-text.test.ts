import { expect, test } from "vitest";
import { listSymbols } from "@/lib/access/requests/request-log";

const none = { segment: "", search: "", body: null };

test.each([
  [none, null],
  [{ ...none, search: "timeframe=H1" }, null],
  [{ ...none, search: "symbol=EUR%2FUSD&timeframe=H1" }, "EUR/USD"],
  [{ ...none, search: "symbols=EURUSD,,GBPUSD" }, "EURUSD, GBPUSD"],
  [{ ...none, segment: "GER40.cash" }, "GER40.cash"],
  [{ ...none, segment: "%E0%A4%A" }, "%E0%A4%A"],
  [{ ...none, body: { symbols: ["A", "B", "C", "D", "E", 6] } }, "A, B, C and 2 more"],
  [{ ...none, body: { symbols: "EURUSD" } }, null],
  [{ ...none, search: "symbol=%00EUR%0AUSD" }, " EUR USD"],
  [{ ...none, search: `symbol=${"X".repeat(500)}` }, `${"X".repeat(23)}…`],
])("The symbols of %j are %j", (call, text) => {
  expect(listSymbols(call)).toBe(text);
});
