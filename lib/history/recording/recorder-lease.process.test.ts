import { afterAll, describe, expect, test } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { LeaseHolder } from "@/lib/history/recording/lease-holder";
import { acquireLease, LeaseLost, readLease, renewLease } from "@/lib/history/recording/recorder-lease";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const SYSTEM_MS = Date.UTC(2026, 0, 15);

describe("the lease of a server that is alone", () => {
  /** Runs until the lease could be renewed, and returns how far recording is published to be complete. */
  async function readPublished(startMs: number, untilMs: number): Promise<number> {
    const { pool } = testDatabase.db;
    const keeper = new HistoryKeeper({ pool, instruments: [], marketNow: () => untilMs });
    const parts = { pool, keeper, isExclusive: true, onLose: () => {}, log: silentLog };
    const lease = new LeaseHolder({ ...parts, system: () => SYSTEM_MS });
    await lease.acquire(startMs);
    expect((await readLease(pool)).completeUntilMs).toBe(startMs);
    keeper.openHours.advance(untilMs);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { completeUntilMs } = await readLease(pool);
    await lease.release();
    return completeUntilMs;
  }

  test("is renewed with the market clock of a replay at its own time, which imports must not pass", async () => {
    const startMs = Date.UTC(2014, 4, 2, 10);
    expect(await readPublished(startMs, startMs + 3 * HOUR_MS)).toBe(startMs + 3 * HOUR_MS);
  });

  test("is free after the database's clock went back, and the server of before is fenced off", async () => {
    const { pool } = testDatabase.db;
    const before = await acquireLease(pool, "before", true);
    expect(await acquireLease(pool, "after", false)).toBeNull();
    await pool.query("UPDATE recorder_lease SET renewed_at = clock_timestamp() + interval '1 hour'");
    const after = await acquireLease(pool, "after", false);
    expect(after).toBe((before ?? NaN) + 1);
    await expect(renewLease(pool, before ?? NaN, { completeUntilMs: 0, revision: 0 })).rejects.toThrow(LeaseLost);
  });

  test("is not renewed while recording keeps up with the system clock", async () => {
    expect(await readPublished(SYSTEM_MS - MINUTE_MS, SYSTEM_MS)).toBe(SYSTEM_MS - MINUTE_MS);
  });
});
