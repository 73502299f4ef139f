import { afterAll, describe, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type KeyEntry } from "@/lib/access/admission/directory";
import { localWindows } from "@/lib/access/admission/windows";
import { createKeys } from "@/lib/access/keys/keys";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 15, 12);

describe("the limits of a key itself", () => {
  let nowMs = noon;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });
  const keys = createKeys(testDatabase.db, { now, directory });

  async function createEntry(limits: { perMinute?: number; perDay?: number }, accountId?: string): Promise<KeyEntry> {
    const owner = accountId ?? (await someAccount(testDatabase.db, "free", now)).id;
    const { id } = await keys.create({ accountId: owner, label: "bot", scopes: ["all"], ...limits });
    return directory.key(id) as KeyEntry;
  }
  /** Counts calls of one credit, each in a minute of its own. */
  const call = (key: KeyEntry, times: number) =>
    Array.from({ length: times }, () => {
      key.minute.used = 0;
      return localWindows.count(key, 1, nowMs);
    });

  test("A key's minute ends at the lower of its own limit and the account's", async () => {
    const key = await createEntry({ perMinute: 2 });
    const verdicts = [1, 2, 3].map(() => localWindows.count(key, 1, nowMs));
    expect(verdicts).toEqual(["counted", "counted", "minute used up"]);
    const other = await createEntry({}, key.accountId);
    expect([other.perMinute, other.ownDay]).toEqual([30, null]);
    await testDatabase.db.prisma.account.update({ where: { id: key.accountId }, data: { perMinuteLimit: 1 } });
    await keys.update(key.id, { label: "desk" }, OPERATOR_CLI);
    const restarted = createDirectory(testDatabase.db, { now, log: silentLog });
    await restarted.refresh();
    expect(restarted.key(key.id)?.perMinute).toBe(1);
  });

  test("A key's day ends at its own limit, while the account's day counts all keys", async () => {
    const key = await createEntry({ perDay: 2 });
    const other = await createEntry({}, key.accountId);
    expect(call(key, 3)).toEqual(["counted", "counted", "key day used up"]);
    expect(call(other, 2)).toEqual(["counted", "counted"]);
    expect(key.day.used).toBe(4);
    nowMs += DAY_MS;
    expect(call(key, 1)).toEqual(["counted"]);
    nowMs = noon;
  });

  test("A call that the account's day refuses, or that failed, is given back to the key's day", async () => {
    const key = await createEntry({ perDay: 2 });
    key.day.dayMs = Date.UTC(2026, 0, 15);
    key.day.used = 999;
    expect(call(key, 2)).toEqual(["counted", "day used up"]);
    expect(key.ownDay?.used).toBe(1);
    localWindows.release(key, 1, nowMs);
    expect([key.ownDay?.used, key.ownDay?.credits, key.day.used]).toEqual([0, 0, 999]);
    expect(localWindows.count(key, null, nowMs)).toBe("counted");
    expect(key.ownDay?.used).toBe(0);
  });

  test("After a restart a key goes on with the calls that it has made today", async () => {
    const key = await createEntry({ perDay: 3 });
    const usage = createUsage(testDatabase.db, { now, log: silentLog, directory });
    usage.count(key, "/v1/quote", 200, 1);
    usage.count(key, "/v1/heatmap", 200, 2);
    usage.count(key, "/v1/quote", 404, 0);
    nowMs -= DAY_MS;
    usage.count(key, "/v1/quote", 200, 1);
    nowMs = noon;
    await usage.flush();
    const restarted = createDirectory(testDatabase.db, { now, log: silentLog });
    await restarted.refresh();
    const again = restarted.key(key.id) as KeyEntry;
    expect(again.ownDay).toMatchObject({ dayMs: Date.UTC(2026, 0, 15), used: 2, credits: 3 });
    expect(call(again, 2)).toEqual(["counted", "key day used up"]);
  });

  test("A limit that is set in the middle of the day counts the calls before it, and one that is removed is gone", async () => {
    const key = await createEntry({});
    const usage = createUsage(testDatabase.db, { now, log: silentLog, directory });
    for (let i = 0; i < 5; i++) usage.count(key, "/v1/quote", 200, 1);
    await usage.flush();
    await keys.update(key.id, { perDay: 6 }, OPERATOR_CLI);
    expect(call(key, 2)).toEqual(["counted", "key day used up"]);
    await keys.update(key.id, { perDay: 7 }, OPERATOR_CLI);
    expect(call(key, 2)).toEqual(["counted", "key day used up"]);
    await keys.update(key.id, { perDay: null }, OPERATOR_CLI);
    expect(call(key, 3)).toEqual(["counted", "counted", "counted"]);
  });
});
