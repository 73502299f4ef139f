import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { type AuditKey, deriveAuditKey, deriveAuditKeys, loadAuditKeys } from "@/lib/access/audit/audit-keys";
import { type AuditLog, createAuditLog } from "@/lib/access/audit/audit-log";
import { CHAIN_START, hashEvent } from "@/lib/access/audit/record";
import { cheapPasswords, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import { loadConfig } from "@/lib/platform/config";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

describe("the audit log", () => {
  let testDatabase: TestDatabase;
  let audit: AuditLog;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    audit = createAuditLog(testDatabase.db);
  });
  afterAll(() => testDatabase.cleanup());

  /** Checks with the keys that a command without settings has. */
  const verify = async (noted?: string) =>
    audit.verify({ keys: await loadAuditKeys({ ...loadConfig({}), dataDir: testDatabase.dataDir }), noted });

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
    return (await verify()).problem;
  }

  test("An empty log is valid", async () => {
    expect(await verify()).toEqual({ problem: null, events: 0, head: CHAIN_START, withoutKey: 0, copied: 0 });
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
    expect(await verify()).toMatchObject({ problem: null, events: events.length + 1, withoutKey: 0 });
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
    const { head, events } = await verify();
    expect(await verify(head)).toMatchObject({ problem: null });
    expect(await verify("f".repeat(64))).toMatchObject({
      problem: expect.stringContaining("cut off") as string,
    });
    expect(await findProblemAfter(`DELETE FROM audit_event WHERE seq = ${events}`)).toBeNull();
    expect((await verify(head)).problem).toContain("cut off");
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

describe("the keys of the audit log", () => {
  const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)];
  let testDatabase: TestDatabase;
  let audit: AuditLog;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    audit = createAuditLog(testDatabase.db);
  });
  afterAll(() => testDatabase.cleanup());

  /** Makes an event as a process with this secret does. */
  async function recordUnder(secret: string): Promise<void> {
    const database = await joinDatabase({ ...testDatabase, secret, log: silentLog });
    await someAccount(database).finally(() => database.close());
  }

  const verify = (...secrets: string[]) => audit.verify({ keys: deriveAuditKeys(secrets) });

  /** Changes the log as somebody who has the database, with all later hashes. Returns a function that undoes it. */
  async function rewrite(sql: string, toKey: (seq: number) => { hashKey: string | null; key: AuditKey | null }) {
    const { pool } = testDatabase.db;
    const before = await pool.query<{ row: object }>("SELECT to_jsonb(e) AS row FROM audit_event e ORDER BY seq");
    await pool.query("ALTER TABLE audit_event DISABLE TRIGGER USER");
    await pool.query(sql);
    let previousHash = CHAIN_START;
    for await (const event of audit.readAll()) {
      const { hashKey, key } = toKey(event.seq);
      const hash = hashEvent(previousHash, event, key);
      const set = "UPDATE audit_event SET previous_hash = $2, hash = $3, hash_key = $4 WHERE seq = $1";
      await pool.query(set, [event.seq, previousHash, hash, hashKey]);
      previousHash = hash;
    }
    return async () => {
      await pool.query("TRUNCATE audit_event");
      const rows = JSON.stringify(before.rows.map(({ row }) => row));
      await pool.query("INSERT INTO audit_event SELECT * FROM jsonb_populate_recordset(NULL::audit_event, $1)", [rows]);
      await pool.query("ALTER TABLE audit_event ENABLE TRIGGER USER");
    };
  }

  const withoutKey = { hashKey: null, key: null };

  test("Events of earlier versions, without a key, are followed by events with one", async () => {
    for (let count = 0; count < 2; count += 1) await recordUnder(OLD);
    await rewrite("SELECT 1", () => withoutKey);
    await testDatabase.db.pool.query("ALTER TABLE audit_event ENABLE TRIGGER USER");
    expect(await verify()).toMatchObject({ problem: null, events: 2, withoutKey: 2 });
    for (let count = 0; count < 2; count += 1) await recordUnder(OLD);
    expect(await verify(OLD)).toMatchObject({ problem: null, events: 4, withoutKey: 2 });
  });

  const CHANGE_FIRST = "UPDATE audit_event SET actor = 'nobody' WHERE seq = 1";

  test("Who has the database but not the key cannot rewrite events with later hashes", async () => {
    const foreign = deriveAuditKey("f".repeat(32));
    const known = deriveAuditKey(OLD).id;
    const attempts = {
      "without a key": () => withoutKey,
      "without a key after the first": (seq: number) => (seq < 4 ? { hashKey: known, key: foreign } : withoutKey),
      "another key": (seq: number) => (seq < 3 ? withoutKey : { hashKey: foreign.id, key: foreign }),
      "another key under this one's id": (seq: number) => (seq < 3 ? withoutKey : { hashKey: known, key: foreign }),
    };
    const problems: Record<string, unknown> = {};
    for (const [name, toKey] of Object.entries(attempts)) {
      const undo = await rewrite(CHANGE_FIRST, toKey);
      const { problem, withoutKey: count } = await verify(OLD);
      problems[name] = problem ?? count;
      await undo();
    }
    expect(problems).toEqual({
      // All events then count as written by earlier versions, which the verdict says; their copied hashes differ.
      "without a key": 4,
      "without a key after the first": "Event 1 is not what was written down.",
      "another key": expect.stringMatching(/^Event 3 was written under another secret/) as unknown,
      "another key under this one's id": "Event 3 is not what was written down.",
    });
    expect((await verify(OLD)).problem).toBeNull();
  });

  test("An event without a key does not follow one with a key", async () => {
    const { hash } = (await audit.list({ limit: 1 }))[0] as { hash: string };
    const added = `INSERT INTO audit_event (seq, at, event, actor, account_id, previous_hash, hash)
      SELECT seq + 1, at, event, actor, account_id, $1, repeat('0', 64) FROM audit_event WHERE seq = 4`;
    await testDatabase.db.pool.query(added, [hash]);
    expect((await verify(OLD)).problem).toBe("Event 5 has no key, though the event before it has one.");
    const remove = "ALTER TABLE audit_event DISABLE TRIGGER USER; DELETE FROM audit_event WHERE seq = 5;";
    await testDatabase.db.pool.query(`${remove} ALTER TABLE audit_event ENABLE TRIGGER USER`);
  });

  test("After a change of the secret both are needed", async () => {
    await recordUnder(NEW);
    expect(await verify(NEW, OLD)).toMatchObject({ problem: null, events: 5 });
    expect((await verify(NEW)).problem).toMatch(/^Event 3 was written under another secret than the ones given/);
    expect((await verify(OLD)).problem).toMatch(/^Event 5 .* name the earlier one in SPOTLINE_PREVIOUS_SECRETS/);
    const settings = { NEXTAUTH_SECRET: NEW, SPOTLINE_PREVIOUS_SECRETS: `${"x".repeat(32)}, ${OLD}` };
    const keys = await loadAuditKeys({ ...loadConfig(settings), dataDir: testDatabase.dataDir });
    expect((await audit.verify({ keys })).problem).toBeNull();
  });
});
