import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NoticeFacts } from "@/lib/access/notices/notice-text";
import { createNotices, type Notices } from "@/lib/access/notices/notices";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const noon = Date.UTC(2026, 0, 15, 12);
const QUOTA: NoticeFacts = { kind: "quota", keys: "account", day: "2026-01-15", percent: 50, used: 5, limit: 10 };
const UNUSED: NoticeFacts = { kind: "unused", keyId: "k", label: "desk", createdOn: "2025-01-15", lastUsedOn: null };
const SECURITY: NoticeFacts = {
  kind: "security",
  event: "key used",
  at: "2026-01-15T12:00:00.000Z",
  keyId: "k",
  label: "desk",
  address: null,
  byOperator: false,
};

describe.each(databaseKinds)("the choice of notices by mail in %s", (kind) => {
  let testDatabase: TestDatabase;
  let notices: Notices;
  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
    notices = createNotices(testDatabase.db.pool, { now: () => noon });
  });
  afterAll(() => testDatabase.cleanup());

  const add = (accountId: string) =>
    notices.add(
      [QUOTA, UNUSED, SECURITY].map((facts) => ({ accountId, topic: facts.kind, level: 1, facts })),
      true,
    );
  const claimKinds = async () => (await notices.claimDueMails()).map(({ facts }) => facts.kind).toSorted();

  test("Every notice is mailed until the account chooses otherwise", async () => {
    const { id } = await someAccount(testDatabase.db);
    expect(await notices.readUnmailed(id)).toEqual([]);
    await add(id);
    expect(await claimKinds()).toEqual(["quota", "security", "unused"]);
  });

  test("A kind that is switched off is on the page only, and security is always mailed", async () => {
    const { id } = await someAccount(testDatabase.db);
    const everything = ["quota", "expiry", "unused", "plan", "security"] as unknown as ["quota"];
    await notices.setUnmailed(id, ["quota"]);
    expect(await notices.readUnmailed(id)).toEqual(["quota"]);
    await add(id);
    expect(await claimKinds()).toEqual(["security", "unused"]);
    expect(await notices.list(id)).toHaveLength(3);
    await notices.setUnmailed(id, everything);
    expect(await notices.readUnmailed(id)).toEqual(["quota", "expiry", "unused", "plan"]);
    const { id: other } = await someAccount(testDatabase.db);
    await notices.setUnmailed(other, everything);
    await add(other);
    expect(await claimKinds()).toEqual(["security"]);
  });

  test("Mails that wait are not sent once their kind is switched off", async () => {
    const { id } = await someAccount(testDatabase.db);
    await add(id);
    await notices.setUnmailed(id, ["quota", "unused"]);
    expect(await claimKinds()).toEqual(["security"]);
  });
});
