import { afterAll, describe, expect, test } from "vitest";
import { createDirectory } from "@/lib/access/admission/directory";
import { someEntry } from "@/lib/access/testing/test-accounts";
import { readKeyHours } from "@/lib/access/usage/key-hours";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const halfPastTen = Date.UTC(2026, 0, 15, 10, 30);

describe("the hours of keys", () => {
  let nowMs = halfPastTen;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });

  test("Each key of the account has its last 24 hours", async () => {
    const { db } = testDatabase;
    const usage = createUsage(db, { now, log: silentLog, directory });
    const [first, stranger] = [await someEntry(db, directory), await someEntry(db, directory)];
    const idle = await someEntry(db, directory, { owner: first.accountId });
    const count = (atMs: number, status: number) => {
      nowMs = atMs;
      usage.count(first, "/v1/quote", status, 1);
    };
    for (const status of [200, 304, 403, 429, 503]) count(halfPastTen, status);
    count(halfPastTen - 23 * HOUR_MS, 200);
    count(halfPastTen - 24 * HOUR_MS, 200);
    usage.count(stranger, "/v1/quote", 200, 1);
    await usage.flush();
    nowMs = halfPastTen;

    const hours = await readKeyHours(db.pool, first.accountId, nowMs);
    expect([...hours.keys()]).toEqual([first.id]);
    expect(hours.get(idle.id)).toBeUndefined();
    const own = hours.get(first.id) ?? [];
    expect(own).toHaveLength(24);
    expect(own[0]).toEqual({ startMs: Date.UTC(2026, 0, 14, 11), answered: 1, refused: 0 });
    expect(own[1]).toEqual({ startMs: Date.UTC(2026, 0, 14, 12), answered: 0, refused: 0 });
    expect(own[23]).toEqual({ startMs: Date.UTC(2026, 0, 15, 10), answered: 2, refused: 3 });
    expect(await readKeyHours(db.pool, "not an id", nowMs)).toEqual(new Map());
  });
});
