import { beforeEach, expect, test } from "vitest";
import { createTraffic, type UsageCell } from "@/lib/access/usage/traffic";
import { HOUR_MS } from "@/lib/time/units";

let nowMs = 0;
let traffic: ReturnType<typeof createTraffic>;

beforeEach(() => {
  nowMs = 1_000_000;
  traffic = createTraffic({ now: () => nowMs });
});

const cell = (keyId: string, endpoint: string, status: number, calls: number): UsageCell => ({
  ...{ keyId, accountId: "account", hourMs: 0, endpoint, status, calls, credits: 0 },
});
const takeAfter = (ms: number, ...cells: UsageCell[]) => {
  nowMs += ms;
  traffic.add(cells);
};
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

test("Traffic adds up the last minute by status, endpoint and key", () => {
  takeAfter(1_000, cell("a", "/v1/quote", 200, 7), cell("a", "/v1/quote", 429, 2), cell("b", "/v1/ticks", 304, 1));
  takeAfter(1_000, cell("b", "/v1/ticks", 503, 20));
  const { seconds, ...totals } = traffic.read();
  expect(totals).toEqual({
    statuses: { "2xx": 7, "3xx": 1, "4xx": 2, "5xx": 20 },
    endpoints: [
      { endpoint: "/v1/ticks", calls: 21, refused: 20 },
      { endpoint: "/v1/quote", calls: 9, refused: 2 },
    ],
    keys: [
      { keyId: "b", calls: 21, refused: 20 },
      { keyId: "a", calls: 9, refused: 2 },
    ],
  });
  expect(seconds).toHaveLength(60);
  expect(seconds.slice(-3)).toEqual([0, 10, 20]);
});

test("Traffic drops calls older than a minute, with or without new ones", () => {
  takeAfter(1_000, cell("a", "/v1/quote", 200, 5));
  for (let second = 0; second < 59; second++) takeAfter(1_000, cell("b", "/v1/quote", 200, 1));
  expect(traffic.read().statuses["2xx"]).toBe(64);
  takeAfter(1_000);
  expect(traffic.read().keys).toEqual([{ keyId: "b", calls: 59, refused: 0 }]);
  nowMs += 60_000;
  expect(traffic.read()).toMatchObject({ statuses: { "2xx": 0 }, endpoints: [], keys: [] });
});

test("Traffic spreads a count over its time", () => {
  takeAfter(2_500, cell("a", "/v1/quote", 200, 25));
  expect(traffic.read().seconds.slice(-4)).toEqual([0, 5, 10, 10]);
  takeAfter(0, cell("a", "/v1/quote", 200, 1));
  expect(sum(traffic.read().seconds)).toBeCloseTo(26, 5);
});

test("Traffic lists the ten busiest keys", () => {
  takeAfter(1_000, ...Array.from({ length: 30 }, (_, at) => cell(`key ${at}`, "/v1/quote", 200, at + 1)));
  expect(traffic.read().keys.map(({ calls }) => calls)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
});

test("Traffic counts the calls of very many keys and lists the busiest", () => {
  takeAfter(1_000, ...Array.from({ length: 5_000 }, (_, at) => cell(`key ${at}`, "/v1/quote", 200, at + 1)));
  const { keys, statuses } = traffic.read();
  expect(keys[0]).toEqual({ keyId: "key 4999", calls: 5_000, refused: 0 });
  expect(statuses["2xx"]).toBe((5_000 * 5_001) / 2);
});

test("Traffic ignores old counts after an outage or a clock set back", () => {
  takeAfter(61_000, cell("a", "/v1/quote", 200, 1_000_000));
  expect(traffic.read().statuses["2xx"]).toBe(0);
  takeAfter(1_000, cell("a", "/v1/quote", 200, 3));
  expect(traffic.read().statuses["2xx"]).toBe(3);
  takeAfter(-HOUR_MS, cell("a", "/v1/quote", 200, 9));
  expect(traffic.read().statuses["2xx"]).toBe(0);
  takeAfter(1_000, cell("a", "/v1/quote", 200, 4));
  expect(traffic.read().statuses["2xx"]).toBe(4);
});
