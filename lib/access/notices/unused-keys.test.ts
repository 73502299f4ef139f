import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { formatNoticeText, formatNoticeTitle } from "@/lib/access/notices/notice-text";
import { createNotices } from "@/lib/access/notices/notices";
import { createUnusedKeys } from "@/lib/access/notices/unused-keys";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const start = Date.UTC(2026, 0, 15);

describe.each(databaseKinds)("notices of unused keys in %s", (kind) => {
  let testDatabase: TestDatabase;
  let keys: Keys;
  let accountId = "";
  let nowMs = start;
  const now = () => nowMs;

  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
    keys = createKeys(testDatabase.db, { now });
  });
  beforeEach(async () => {
    nowMs = start;
    accountId = (await someAccount(testDatabase.db, "free", now)).id;
  });
  afterAll(() => testDatabase.cleanup());

  async function createKey(): Promise<string> {
    const { id } = await keys.create({ accountId, label: "Desk", scopes: ["all"] });
    await setUse(id, { createdAt: new Date(start) });
    return id;
  }
  const setUse = (id: string, data: { createdAt?: Date; lastUsedAt?: Date }) =>
    testDatabase.db.prisma.apiKey.update({ where: { id }, data });

  /** The notices of the account after a look by a process that has just started. */
  async function look(): Promise<string[]> {
    const notices = createNotices(testDatabase.db.pool, { now });
    await createUnusedKeys(testDatabase.db.pool).flush((due) => notices.add(due, true), nowMs);
    return (await notices.list(accountId)).map(
      ({ facts }) => `${formatNoticeTitle(facts)}. ${formatNoticeText(facts)}`,
    );
  }

  test("A key that was never used is reported once, on the page and by mail, sixty days after its creation", async () => {
    await createKey();
    nowMs = start + 60 * DAY_MS - 1;
    expect(await look()).toEqual([]);
    nowMs = start + 60 * DAY_MS;
    const notice =
      "The key “Desk” has not been used for 60 days. It was created on 2026-01-15 and never used. " +
      "If no program needs it, revoke it: nobody would notice if others used it.";
    expect(await look()).toEqual([notice]);
    expect(await testDatabase.db.prisma.notice.count({ where: { accountId, mailDueAt: { not: null } } })).toBe(1);
    // Notices are deleted after three months.
    await testDatabase.db.prisma.notice.deleteMany({ where: { accountId } });
    nowMs = start + 300 * DAY_MS;
    expect(await look()).toEqual([]);
  });

  test("A key is reported again only if it was used in between", async () => {
    const id = await createKey();
    nowMs = start + 59 * DAY_MS;
    await setUse(id, { lastUsedAt: new Date(nowMs) });
    nowMs += 59 * DAY_MS;
    expect(await look()).toEqual([]);
    nowMs += DAY_MS;
    expect(await look()).toHaveLength(1);
    expect((await look())[0]).toContain("Its last use was on 2026-03-15.");
    await setUse(id, { lastUsedAt: new Date(nowMs + DAY_MS) });
    nowMs += 61 * DAY_MS;
    expect(await look()).toHaveLength(2);
  });

  test("Keys that cannot be used are not reported", async () => {
    const [revoked, disabled] = [await createKey(), await createKey()];
    await keys.revoke(revoked, OPERATOR_CLI);
    await keys.disable(disabled, OPERATOR_CLI);
    await keys.create({ accountId, label: "ended", scopes: ["all"], expiresAtMs: start + DAY_MS });
    nowMs = start + 100 * DAY_MS;
    await testDatabase.db.prisma.apiKey.updateMany({ where: { accountId }, data: { createdAt: new Date(start) } });
    expect(await look()).toEqual([]);
  });

  test("The database is queried once an hour", async () => {
    await createKey();
    let looks = 0;
    const unused = createUnusedKeys(testDatabase.db.pool);
    const flush = () => unused.flush(async () => void (looks += 1), nowMs);
    await flush();
    nowMs += HOUR_MS - 1;
    await flush();
    expect(looks).toBe(1);
    nowMs += 1;
    await flush();
    expect(looks).toBe(2);
  });
});
