import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { type AuditLog, createAuditLog } from "@/lib/access/audit/audit-log";
import { CHAIN_START } from "@/lib/access/audit-event";
import { cheapPasswords, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

describe.each(databaseKinds)("the audit log in %s", (kind) => {
  let testDatabase: TestDatabase;
  let audit: AuditLog;

  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
    audit = createAuditLog(testDatabase.db);
  });
  afterAll(() => testDatabase.cleanup());

  /** Runs SQL without the protecting triggers, and returns the problem that the check then finds. */
  async function findProblemAfter(sql: string): Promise<string | null> {
    const client = await testDatabase.db.pool.connect();
    try {
      await client.query("BEGIN; ALTER TABLE audit_event DISABLE TRIGGER USER");
      await client.query(sql);
      await client.query("ALTER TABLE audit_event ENABLE TRIGGER USER; COMMIT");
    } finally {
      client.release();
    }
    return (await audit.verify()).problem;
  }

  test("An empty log is valid", async () => {
    expect(await audit.verify()).toEqual({ problem: null, events: 0, head: CHAIN_START });
  });

  test("Concurrent changes are all in the chain", async () => {
    await someAccount(testDatabase.db); // The only operator, which cannot be suspended.
    const { id } = await someAccount(testDatabase.db);
    await Promise.all(Array.from({ length: 8 }, () => someKey(testDatabase.db, id)));
    const accounts = createAccounts(testDatabase.db, { now: Date.now, passwords: cheapPasswords });
    const credentials = createCredentials(testDatabase.db, { now: Date.now, passwords: cheapPasswords });
    const accountStatus = createAccountStatus(testDatabase.db, { now: Date.now });
    await accounts.setPlan(id, "pro");
    await accounts.setLimits(id, { perMinute: 7 });
    await accountStatus.setSuspended(id, true);
    await accountStatus.setSuspended(id, false);
    await credentials.setPassword(id, "another fine password");
    const events = await audit.list({ accountId: id, limit: 100 });
    expect(events.map(({ event }) => event)).toEqual([
      "account.set_password",
      "account.resume",
      "account.suspend",
      "account.set_limits",
      "account.set_plan",
      ...Array<string>(8).fill("key.create"),
      "account.create",
    ]);
    expect(events[4]).toMatchObject({ actor: "operator CLI", before: { plan: "free" }, after: { plan: "pro" } });
    expect(JSON.stringify(events)).not.toMatch(/scrypt|password_hash|fxk_live_/);
    expect(await audit.verify()).toMatchObject({ problem: null, events: events.length + 1 });
  });

  test("An account sees only its own events, page by page", async () => {
    const { id } = await someAccount(testDatabase.db);
    await someKey(testDatabase.db, id);
    const [latest] = await audit.list({ accountId: id, limit: 1 });
    const older = await audit.list({ accountId: id, beforeSeq: latest?.seq, limit: 10 });
    expect(older.map(({ event }) => event)).toEqual(["account.create"]);
    expect(await audit.list({ accountId: "' OR 1=1", limit: 10 })).toEqual([]);
  });

  test.each([
    ["UPDATE audit_event SET event = 'key.enable' WHERE seq = 2"],
    ["DELETE FROM audit_event WHERE seq = 2"],
    ["DELETE FROM audit_event"],
    ["TRUNCATE audit_event"],
  ])("The database refuses %s", async (sql) => {
    await expect(testDatabase.db.pool.query(sql)).rejects.toThrow("The audit log can only be added to.");
  });

  test("Altered, removed and cut-off events are detected", async () => {
    const { head, events } = await audit.verify();
    expect(await audit.verify(head)).toMatchObject({ problem: null });
    expect(await audit.verify("f".repeat(64))).toMatchObject({ problem: expect.stringContaining("cut off") as string });
    expect(await findProblemAfter(`DELETE FROM audit_event WHERE seq = ${events}`)).toBeNull();
    expect((await audit.verify(head)).problem).toContain("cut off");
    const set = (change: string) => `UPDATE audit_event SET ${change} WHERE seq = 2`;
    expect(await findProblemAfter(set(`after = jsonb_set(after, '{label}', '"x"')`))).toBe(
      "Event 2 is not what was written down.",
    );
    expect(await findProblemAfter(set("hash = previous_hash"))).toBe("Event 2 is not what was written down.");
    expect(await findProblemAfter(set("previous_hash = repeat('0', 64)"))).toBe(
      "Event 2 does not follow the event before it.",
    );
    expect(await findProblemAfter("DELETE FROM audit_event WHERE seq = 2")).toBe("Event 2 is missing.");
  });
});
