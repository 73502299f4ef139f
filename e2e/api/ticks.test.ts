import { beforeAll, expect, test } from "vitest";
import { type DataOf, expectError, readData, send } from "@/e2e/api/server";
import type { ticksReply } from "@/lib/api/history/replies";
import { DAY_MS } from "@/lib/time/units";

type Ticks = DataOf<typeof ticksReply>;

/** A range of half an hour before and after now. */
let around = "";
beforeAll(async () => {
  const now = Date.now();
  around = `from=${new Date(now - 1_800_000).toISOString()}&to=${new Date(now + 1_800_000).toISOString()}`;
  for (const deadline = now + 20_000; Date.now() < deadline;) {
    if (readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`)).count > 3) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("nothing was recorded");
});

test("/v1/ticks answers recorded ticks, at most one a second, oldest first", async () => {
  const reply = await send(`/v1/ticks?symbol=EURUSD.r&${around}`);
  const { symbol, ticks, count } = readData<Ticks>(reply);
  expect(symbol).toBe("EURUSD");
  expect(count).toBe(ticks.length);
  const times = ticks.map(({ time }) => Date.parse(time));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  for (const { time, bid, ask } of ticks) {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(ask).toBeGreaterThanOrEqual(bid);
    expect(`${bid} ${ask}`).not.toMatch(/\d\.\d{6,}/);
  }
  expect(reply.headers.get("x-coverage")).toMatch(new RegExp(`^${count}/\\d+$`));
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
  expect(reply.headers.get("vary")).toMatch(/accept-encoding/i);
});

test("A range includes its first second and excludes its last", async () => {
  const { ticks } = readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`));
  const [first, second] = ticks as [Ticks["ticks"][number], Ticks["ticks"][number]];
  const part = `from=${encodeURIComponent(first.time)}&to=${encodeURIComponent(second.time)}`;
  expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${part}`)).ticks).toEqual([first]);
  // A plus sign that is not encoded arrives as a space.
  expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&from=${first.time}&to=${second.time}`)).count).toBe(1);
});

test("include=gaps answers the gaps of a range", async () => {
  const reply = await send(`/v1/ticks?symbol=EURUSD&${around}&include=gaps`);
  const { count, gaps = [] } = readData<Ticks>(reply);
  const missing = gaps.reduce((sum, { seconds }) => sum + seconds, 0);
  expect(reply.headers.get("x-coverage")).toBe(`${count}/${count + missing}`);
  expect(readData<Ticks>(await send(`/v1/ticks?symbol=EURUSD&${around}`)).gaps).toBeUndefined();
});

test("An hour without ticks is answered with an empty list", async () => {
  // The prepared past has the ticks of one day.
  const longAgo = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS).toISOString();
  const reply = await send(`/v1/ticks?symbol=EURUSD&from=${longAgo}&to=${longAgo.replace("T00", "T01")}`);
  expect(readData<Ticks>(reply)).toEqual({ symbol: "EURUSD", ticks: [], count: 0 });
  expect(reply.headers.get("x-coverage")).toBe("0/3600");
});

test("A range that ends before the stored ticks is refused with their beginning", async () => {
  const reply = await send("/v1/ticks?symbol=EURUSD&from=2001-01-01T00:00:00&to=2001-01-01T01:00:00");
  expectError(reply, 400, "DATA_OUTSIDE_RETENTION");
  const { error } = reply.json as { error: { earliest_available: string; retention_period: string } };
  expect(error.retention_period).toMatch(/^\d+ days$/);
  const ageMs = Date.now() - Date.parse(error.earliest_available);
  expect(Math.floor(ageMs / DAY_MS)).toBe(Number.parseInt(error.retention_period));
});

test("A range that is too long is refused with its length and the maximum", async () => {
  const reply = await send("/v1/ticks?symbol=EURUSD&from=2026-11-20T13:00:00Z&to=2026-11-20T15:30:00Z");
  expect(reply.json).toMatchObject({ error: { requested_range: "2h 30m", max_range: "1h" } });
});
