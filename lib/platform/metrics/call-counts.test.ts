import { expect, test } from "vitest";
import { CallCounts, DURATION_BUCKETS_S } from "@/lib/platform/metrics/call-counts";

test("Calls are counted by endpoint, status and duration, and a bound belongs to its bucket.", () => {
  const calls = new CallCounts();
  calls.count("/v1/quote", 200, 0.2);
  calls.count("/v1/quote", 200, 0.5);
  calls.count("/v1/quote", 429, 0.6);
  calls.count("/v1/quote", 500, 60_000);
  calls.count("unmatched", 404, 1);
  const [quote, unmatched] = calls.list();
  expect(quote).toMatchObject({ endpoint: "/v1/quote", totalMs: 60_001.3 });
  expect([...(quote?.statuses ?? [])]).toEqual([
    [200, 2],
    [429, 1],
    [500, 1],
  ]);
  expect(quote?.buckets[0]).toBe(2);
  expect(quote?.buckets[1]).toBe(1);
  expect(quote?.buckets[DURATION_BUCKETS_S.length]).toBe(1);
  expect(unmatched?.buckets[1]).toBe(1);
});
