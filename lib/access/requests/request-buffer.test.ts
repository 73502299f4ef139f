import { describe, expect, test } from "vitest";
import type { KeyEntry } from "@/lib/access/admission/directory";
import {
  createRequestBuffer,
  MAX_ANSWERED_ROWS,
  MAX_REFUSED_ROWS,
  type NotedRequest,
} from "@/lib/access/requests/request-log";

const noon = Date.UTC(2026, 0, 15, 12);
const key = { id: "key", accountId: "account" } as KeyEntry;
const other = { id: "other", accountId: "account" } as KeyEntry;
const LIMITED = { wireCode: "RATE_LIMIT_EXCEEDED", message: "too many" };
const UNKNOWN = { wireCode: "SYMBOL_NOT_FOUND", message: "unknown" };

function call(nowMs = noon, path = "/v1/quote", method = "GET") {
  const request = { method, search: "symbol=EURUSD", address: () => "192.0.2.1" };
  return { requestId: "0".repeat(32), nowMs, match: { path, segment: "" }, body: null, call: request };
}

const describeRows = (rows: readonly NotedRequest[]) =>
  rows.map(({ endpoint, status, refusal, more }) => [endpoint, status, refusal?.wireCode ?? null, more]);

describe("the calls of a second", () => {
  test("Every call of a key that calls rarely has a row", () => {
    const buffer = createRequestBuffer({ full: 500, max: 2_000 });
    for (let at = 0; at < 20; at++) buffer.note(key, call(noon + at * 1_000), 200, null, 1, 0.1);
    expect(buffer.drain()).toHaveLength(20);
    expect(buffer.drain()).toEqual([]);
  });

  test("Answered calls beyond the first ones are counted on the last row of their kind", () => {
    const buffer = createRequestBuffer({ full: 500, max: 2_000 });
    for (let at = 0; at < 1_200; at++) buffer.note(key, call(noon + at / 2), 200, null, 1, 0.1);
    const rows = buffer.drain();
    expect(rows).toHaveLength(MAX_ANSWERED_ROWS);
    expect(rows.map(({ more }) => more)).toEqual([0, 0, 0, 0, 1_200 - MAX_ANSWERED_ROWS]);
  });

  test("The first call of each kind has a row, however many others there are", () => {
    const buffer = createRequestBuffer({ full: 500, max: 2_000 });
    for (let at = 0; at < 100; at++) buffer.note(key, call(), 200, null, 1, 0.1);
    for (let at = 0; at < 100; at++) buffer.note(key, call(), 429, LIMITED, 0, 0.1);
    buffer.note(key, call(), 404, UNKNOWN, 0, 0.1);
    buffer.note(key, call(noon, "/v1/ticks"), 200, null, 3, 0.1);
    buffer.note(key, call(noon, "/v1/ticks"), 200, null, 3, 0.1);
    buffer.note(other, call(), 200, null, 1, 0.1);
    const rows = buffer.drain();
    expect(describeRows(rows.slice(-4))).toEqual([
      ["/v1/quote", 429, "RATE_LIMIT_EXCEEDED", 100 - MAX_REFUSED_ROWS],
      ["/v1/quote", 404, "SYMBOL_NOT_FOUND", 0],
      ["/v1/ticks", 200, null, 1],
      ["/v1/quote", 200, null, 0],
    ]);
    expect(rows.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(204);
  });

  test("The next second begins anew, also when the clock goes back", () => {
    const buffer = createRequestBuffer({ full: 500, max: 2_000 });
    for (const nowMs of [noon, noon + 999, noon + 1_000, noon]) {
      for (let at = 0; at < 10; at++) buffer.note(key, call(nowMs), 200, null, 1, 0.1);
    }
    expect(buffer.drain().map(({ more }) => more)).toEqual([0, 0, 0, 0, 15, 0, 0, 0, 0, 5, 0, 0, 0, 0, 5]);
  });

  test("A full buffer has one row for each kind, and a fuller one counts what it loses", () => {
    const buffer = createRequestBuffer({ full: 2, max: 3 });
    for (const entry of [key, other, { id: "third" } as KeyEntry, { id: "fourth" } as KeyEntry]) {
      buffer.note(entry, call(), 200, null, 1, 0.1);
      buffer.note(entry, call(), 200, null, 1, 0.1);
    }
    expect(buffer.drain().map(({ key: { id }, more }) => [id, more])).toEqual([
      ["key", 0],
      ["key", 0],
      ["other", 1],
    ]);
    expect(buffer.drainLost()).toBe(4);
    expect(buffer.drainLost()).toBe(0);
  });
});
