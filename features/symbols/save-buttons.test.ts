import { expect, test } from "vitest";
import { BarStore } from "@/features/symbols/bar-store";
import { formatBarsCsv } from "@/features/symbols/save-buttons";
import { MINUTE_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 10, 20, 8);
const store = new BarStore({
  bars: [
    [START, 1.1, 1.3, 1, 1.2, 7],
    [START + MINUTE_MS, 1.2, 1.4, 1.1, 1.3, 8],
    [START + 2 * MINUTE_MS, 1.3, 1.4, 1.2, 1.25, 9],
  ],
  isForming: true,
  hasOlder: false,
  values: { RSI_14: [null, 51.25, null] },
});

test("The table has the bars of the shown range and the values of the indicators", () => {
  expect(formatBarsCsv(store, ["RSI_14"], { fromMs: START + MINUTE_MS, toMs: null })).toBe(
    "time,open,high,low,close,volume,RSI_14\r\n" +
      "2026-11-20T08:01:00Z,1.2,1.4,1.1,1.3,8,51.25\r\n" +
      "2026-11-20T08:02:00Z,1.3,1.4,1.2,1.25,9,\r\n",
  );
});

test("The table ends with the shown range", () => {
  const csv = formatBarsCsv(store, [], { fromMs: START, toMs: START + MINUTE_MS });
  expect(csv.trimEnd().split("\r\n")).toHaveLength(3);
  expect(formatBarsCsv(store, [], null).trimEnd().split("\r\n")).toHaveLength(4);
});
