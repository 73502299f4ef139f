import { expect, test } from "vitest";
import { sortRows } from "@/features/spreads/sort-rows";
import type { SpreadRow } from "@/features/spreads/types";

const row = (symbol: string, figures: Partial<SpreadRow>): SpreadRow => {
  const none = { current: null, state: null, avg: null, min: null, max: null, p5: null, median: null, p95: null };
  return { symbol, name: symbol, ...none, ...figures };
};
const rows = [
  row("XAUUSD", { avg: 2, median: 1.5, p95: 3 }),
  row("NEW", {}),
  row("EURUSD", { avg: 1, median: 1.8, p95: 3 }),
  row("OTHER", {}),
];

test("Rows are sorted by a column, the tightest first and those without a value last", () => {
  const order = (sort: Parameters<typeof sortRows>[1]) => sortRows(rows, sort).map(({ symbol }) => symbol);
  expect(order("avg")).toEqual(["EURUSD", "XAUUSD", "NEW", "OTHER"]);
  expect(order("median")).toEqual(["XAUUSD", "EURUSD", "NEW", "OTHER"]);
  expect(order("p95")).toEqual(["XAUUSD", "EURUSD", "NEW", "OTHER"]);
  expect(order("symbol")).toEqual(["EURUSD", "NEW", "OTHER", "XAUUSD"]);
});
