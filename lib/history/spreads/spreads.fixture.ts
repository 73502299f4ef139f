import { afterAll, beforeAll, beforeEach } from "vitest";
import type { HourColumns } from "@/lib/history/hour-columns";
import { createFakeOpenHours, sessions } from "@/lib/history/spreads/recorded.fixture";
import { Spreads } from "@/lib/history/spreads/spreads";
import { type databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

export const NOW_MS = Date.parse("2026-11-20T15:42:17.300Z");
export const NOW_HOUR_MS = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;

/** A database for the tests of a `describe`, without spreads before each of them, and what they do with it. */
export function useSpreads(kind: (typeof databaseKinds)[number]) {
  let database: TestDatabase;
  const clock = { nowMs: NOW_MS };
  const openHours = createFakeOpenHours();
  const getPool = () => database.db.pool;
  beforeAll(async () => void (database = await openTestDatabase(kind)));
  afterAll(() => database.cleanup());
  beforeEach(async () => {
    clock.nowMs = NOW_MS;
    openHours.set([]);
    await getPool().query("TRUNCATE spread_hour");
  });

  return {
    clock,
    openHours,
    getPool,
    open(): Spreads {
      const names = { symbols: ["EURUSD"], sources: ["alpha", "beta"] };
      return new Spreads({ pool: getPool(), openHours, sessions, now: () => clock.nowMs, ...names });
    },
    async write(columns: readonly HourColumns[], { store }: Spreads): Promise<void> {
      const client = await getPool().connect();
      await store.writeHour(client, columns).finally(() => client.release());
    },
  };
}
