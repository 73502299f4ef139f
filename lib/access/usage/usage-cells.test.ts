import { expect, test } from "vitest";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { createUsageCells } from "@/lib/access/usage/usage-cells";
import { HOUR_MS } from "@/lib/time/units";

const entry = (id: string) => ({ id, accountId: "account" }) as KeyEntry;
const noon = Date.UTC(2026, 0, 15, 12);

test("Each count is drained once", () => {
  const cells = createUsageCells(100);
  const key = entry("key");
  cells.count(key, "/v1/quote", 200, 1, noon);
  cells.count(key, "/v1/quote", 200, 1, noon + 5);
  const row = { keyId: "key", accountId: "account", hourMs: noon, endpoint: "/v1/quote", status: 200 };
  expect(cells.drain()).toEqual([{ ...row, calls: 2, credits: 2 }]);
  expect(cells.drain()).toEqual([]);
  cells.count(key, "/v1/quote", 200, 1, noon + 9);
  expect(cells.drain()).toEqual([{ ...row, calls: 1, credits: 1 }]);
});

test("The counts of an ended hour are kept until they are drained", () => {
  const cells = createUsageCells(100);
  cells.count(entry("key"), "/v1/quote", 200, 1, noon);
  cells.count(entry("key"), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drain().map((cell) => cell.hourMs)).toEqual([noon, noon + HOUR_MS]);
});

test("The number of cells is bounded, and calls without a cell are counted as lost", () => {
  const cells = createUsageCells(10);
  for (let i = 0; i < 25; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon);
  for (let i = 0; i < 25; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drainLost()).toBe(15 + 25);
  expect(cells.drain()).toHaveLength(10);
  for (let i = 0; i < 10; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drainLost()).toBe(0);
  expect(cells.drain()).toHaveLength(10);
});
