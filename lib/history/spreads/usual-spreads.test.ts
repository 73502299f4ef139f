import { afterAll, expect, test } from "vitest";
import { Spreads } from "@/lib/history/spreads/spreads";
import {
  computeByBruteForce,
  createFakeOpenHours,
  type RecordedSpread,
  sessions,
  toColumns,
} from "@/lib/history/spreads/spreads.fixture";
import { UsualSpreads } from "@/lib/history/spreads/usual-spreads";
import { toPrice } from "@/lib/market/price";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const database = await openTestDatabase();
afterAll(() => database.cleanup());

const NOW_MS = Date.parse("2026-11-20T15:42:17.300Z");
const FROM_MS = Math.floor((NOW_MS - 7 * DAY_MS) / HOUR_MS) * HOUR_MS;

/** A row every `step` seconds of the last eight days. */
function createSpreads(symbol: string, step: number): RecordedSpread[] {
  const spreads: RecordedSpread[] = [];
  for (let second = Math.floor(NOW_MS / 1000) - 8 * 86_400, seed = 3; second < NOW_MS / 1000; second += step) {
    seed = (seed * 48_271) % 2_147_483_647;
    spreads.push({ symbol, second, spread: 4 + (seed % 17) + (seed % 50 === 0 ? 90 : 0) });
  }
  return spreads;
}

test("The usual spread is the 5th and 95th percentile of all seconds of seven days, also of open hours", async () => {
  const [often, seldom] = [createSpreads("EURUSD", 97), createSpreads("GBPUSD", 500)];
  const { pool } = database.db;
  const openHours = createFakeOpenHours();
  const instruments = ["EURUSD", "GBPUSD", "USDJPY"].map((symbol) => ({ symbol }));
  const columns = toColumns([...often, ...seldom]);
  const openFromMs = NOW_MS - 2 * HOUR_MS;
  const { store } = new Spreads({ pool, openHours, sessions, instruments, sources: [], now: () => NOW_MS });
  const client = await pool.connect();
  await store
    .writeHour(
      client,
      columns.filter(({ hourMs }) => hourMs < openFromMs),
    )
    .finally(() => client.release());
  openHours.set(columns.filter(({ hourMs }) => hourMs >= openFromMs - HOUR_MS));
  let monotonicMs = 0;
  const usual = new UsualSpreads({ pool, openHours, instruments, now: () => NOW_MS, monotonic: () => monotonicMs });
  const spreads = await usual.read();
  const { percentiles } = computeByBruteForce(often, FROM_MS);
  // Those of few recorded seconds are left out.
  expect([...spreads]).toEqual([
    ["EURUSD", { p5: toPrice(percentiles[0] ?? NaN, 5), p95: toPrice(percentiles[4] ?? NaN, 5) }],
  ]);

  // Few symbols have one yet, so it is computed again soon.
  expect(await usual.read()).toBe(spreads);
  monotonicMs += HOUR_MS;
  const [one, other] = [usual.read(), usual.read()];
  expect(one).toBe(other);
  expect(await one).not.toBe(spreads);
});
