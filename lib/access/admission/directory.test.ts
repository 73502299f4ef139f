import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type AccountStatus, createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { admit } from "@/lib/access/admission/minute-window";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { NO_LIMIT } from "@/lib/access/plans";
import { hashSecret } from "@/lib/access/secret";
import { cheapPasswords, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

describe("the directory", () => {
  let directory: Directory;
  let accounts: Accounts;
  let accountStatus: AccountStatus;
  let keys: Keys;
  let nowMs = Date.now();
  const now = () => nowMs;
  const findEntry = (secret: string) => directory.find(hashSecret(secret));

  beforeAll(async () => {
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    accounts = createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords });
    accountStatus = createAccountStatus(testDatabase.db, { now, directory });
    keys = createKeys(testDatabase.db, { now, directory });
    await directory.refresh();
  });

  test("A key is found by its hash as soon as its creation is acknowledged", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "starter");
    const expiresAtMs = nowMs + 60_000;
    const input = { accountId, label: "bot", scopes: ["quotes"], addresses: ["10.0.0.0/8"], expiresAtMs };
    const { id, secret } = await keys.create(input);
    const entry = findEntry(secret);
    expect(entry).toMatchObject({ id, accountId, label: "bot", kind: "standard", revoked: false, expiresAtMs });
    expect(entry).toMatchObject({ perMinute: 120, perDay: 10_000, account: { plan: "starter", suspended: false } });
    expect([...(entry?.scopes ?? [])]).toEqual(["quotes"]);
    expect(entry?.allowList?.admits("10.1.2.3")).toBe(true);
    expect(directory.key(id)).toBe(entry);
    expect(directory.account(accountId)).toBe(entry?.account);
    expect(directory.find(secret)).toBeUndefined();
  });

  test("A key is revoked as soon as its revocation is acknowledged", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const { id, secret } = await keys.create({ accountId, label: "bot", scopes: ["all"] });
    expect(findEntry(secret)?.revoked).toBe(false);
    await keys.revoke(id, { kind: "owner", accountId, confirmed: true });
    expect(findEntry(secret)?.revoked).toBe(true);
  });

  test("Entries change in place and keep their counters", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const { secret } = await keys.create({ accountId, label: "bot", scopes: ["all"] });
    const entry = findEntry(secret);
    if (entry === undefined) throw new Error("the directory does not have the key");
    admit(entry.minute, entry.perMinute, nowMs);
    await accounts.setPlan(accountId, "pro");
    await accountStatus.setSuspended(accountId, true);
    expect(findEntry(secret)).toBe(entry);
    expect(entry).toMatchObject({ perMinute: 600, minute: { used: 1 }, account: { plan: "pro", suspended: true } });
    expect(entry.entitlements.ticks).toBe(true);
  });

  test("The operator's limits override those of plan and kind", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "enterprise");
    const standard = await keys.create({ accountId, label: "bot", scopes: ["all"] });
    const tool = await keys.create({ accountId, label: "spreadsheet", scopes: ["all"], kind: "tool" });
    const limits = (secret: string) => [findEntry(secret)?.perMinute, findEntry(secret)?.perDay];
    expect(limits(standard.secret)).toEqual([6_000, 1_000_000]);
    expect(limits(tool.secret)).toEqual([60, 5_000]);
    expect(findEntry(tool.secret)?.entitlements).toMatchObject({ name: "tool", calendar: true, ticks: false });
    await accounts.setLimits(accountId, { perMinute: 7, perDay: NO_LIMIT });
    expect(limits(standard.secret)).toEqual([7, NO_LIMIT]);
    expect(limits(tool.secret)).toEqual([7, NO_LIMIT]);
  });

  test("Standard and tool keys have separate days unless the operator set a quota", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "pro");
    const createEntry = async (keyKind: "standard" | "tool") =>
      findEntry((await keys.create({ accountId, label: keyKind, scopes: ["all"], kind: keyKind })).secret);
    const [one, two] = [await createEntry("standard"), await createEntry("standard")];
    const [tool, otherTool] = [await createEntry("tool"), await createEntry("tool")];
    expect(one?.day).toBe(two?.day);
    expect(tool?.day).toBe(otherTool?.day);
    expect(tool?.day).not.toBe(one?.day);
    await accounts.setLimits(accountId, { perDay: 10 });
    expect(tool?.day).toBe(one?.day);
  });

  test("An ended trial becomes free without a change in the database", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "trial", now);
    const { secret } = await keys.create({ accountId, label: "bot", scopes: ["all"] });
    expect(findEntry(secret)).toMatchObject({ account: { plan: "trial" }, entitlements: { name: "trial" } });
    nowMs += 14 * DAY_MS;
    await directory.refresh();
    expect(findEntry(secret)).toMatchObject({ account: { plan: "free" }, entitlements: { name: "free" } });
  });

  test("Changes of another process are loaded", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const { id, secret } = await someKey(testDatabase.db, accountId);
    expect(findEntry(secret)).toBeUndefined();
    await directory.refresh();
    expect(findEntry(secret)?.revoked).toBe(false);
    await createKeys(testDatabase.db, { now }).revoke(id, OPERATOR_CLI);
    await directory.refresh();
    expect(findEntry(secret)?.revoked).toBe(true);
  });

  test("After many concurrent changes the directory equals a fresh one", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const created = await Promise.all(Array.from({ length: 12 }, () => someKey(testDatabase.db, accountId)));
    const revokes = created.map(({ id }, i) => (i % 2 === 0 ? keys.revoke(id, OPERATOR_CLI) : directory.refresh()));
    await Promise.all(revokes);
    const fresh = createDirectory(testDatabase.db, { now, log: silentLog });
    await fresh.refresh();
    for (const [i, { secret }] of created.entries()) {
      expect(findEntry(secret)?.revoked).toBe(i % 2 === 0);
      expect(fresh.find(hashSecret(secret))?.revoked).toBe(i % 2 === 0);
    }
  });

  test("A key that one backup lacks and a later one has is found again by its secret", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const { id, secret } = await keys.create({ accountId, label: "bot", scopes: ["all"] });
    const { prisma, pool } = testDatabase.db;
    const restore = async () => {
      await pool.query("UPDATE access_revision SET value = value - 1");
      await directory.refresh();
      return directory.findBySecret(secret)?.revoked;
    };
    const row = await prisma.apiKey.findUniqueOrThrow({ where: { id } });
    expect(directory.findBySecret(secret)?.revoked).toBe(false);
    await prisma.apiKey.delete({ where: { id } });
    expect(await restore()).not.toBe(false);
    await prisma.apiKey.create({ data: row });
    expect(await restore()).toBe(false);
  });

  test("A database restored from a backup is loaded again", async () => {
    const { id: accountId } = await someAccount(testDatabase.db);
    const present = await keys.create({ accountId, label: "present", scopes: ["all"] });
    const deleted = await keys.create({ accountId, label: "deleted", scopes: ["all"] });
    const entry = findEntry(present.secret);
    await testDatabase.db.prisma.apiKey.delete({ where: { id: deleted.id } });
    await testDatabase.db.prisma.accessRevision.update({ where: { id: 1 }, data: { value: { decrement: 1n } } });
    await directory.refresh();
    expect(findEntry(deleted.secret)).toBeUndefined();
    expect(directory.key(deleted.id)).toBeUndefined();
    expect(findEntry(present.secret)).toBe(entry);
  });
});

describe("refreshing the directory", () => {
  afterEach(() => void vi.useRealTimers());

  /** Creates a database whose queries of the revision wait until a test answers them. It has no rows. */
  function createWaitingDatabase() {
    const queries: { answer: () => void; fail: () => void }[] = [];
    let revision = 0;
    const query = vi.fn(
      (text: string) =>
        new Promise((resolve, reject) => {
          if (!text.includes("access_revision")) return resolve({ rows: [] });
          queries.push({
            answer: () => resolve({ rows: [{ value: String(revision) }] }),
            fail: () => reject(new Error("unreachable")),
          });
        }),
    );
    const pool = { query } as unknown as Pool;
    return { db: { pool } as Database, queries, raise: () => (revision += 1) };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  test("A caller during a run shares the next run with the others", async () => {
    const { db, queries } = createWaitingDatabase();
    const directory = createDirectory(db, { now: () => 5, log: silentLog });
    const done: string[] = [];
    const first = directory.refresh().then(() => done.push("first"));
    const second = directory.refresh().then(() => done.push("second"));
    const third = directory.refresh().then(() => done.push("third"));
    await settle();
    expect(queries).toHaveLength(1);
    expect(directory.lastSyncAtMs).toBe(-Infinity);
    queries[0]?.answer();
    await first;
    await settle();
    expect(done).toEqual(["first"]);
    expect(queries).toHaveLength(2);
    queries[1]?.answer();
    await Promise.all([second, third]);
    expect(queries).toHaveLength(2);
    expect(directory.lastSyncAtMs).toBe(5);
  });

  test("Callers during a failed run get the next run", async () => {
    const { db, queries } = createWaitingDatabase();
    const directory = createDirectory(db, { now: () => 5, log: silentLog });
    const first = directory.refresh();
    const second = directory.refresh();
    queries[0]?.fail();
    await expect(first).rejects.toThrow("unreachable");
    await settle();
    queries[1]?.answer();
    await expect(second).resolves.toBeUndefined();
  });

  test("An outage of the database is logged once, and its end is logged once", async () => {
    vi.useFakeTimers();
    const { db, queries } = createWaitingDatabase();
    const log = { error: vi.fn(), info: vi.fn() };
    const directory = createDirectory(db, { now: () => 5, log: log as unknown as typeof silentLog });
    const starting = directory.start();
    queries[0]?.answer();
    await starting;
    for (let poll = 1; poll <= 3; poll++) {
      await vi.advanceTimersByTimeAsync(200);
      queries[poll]?.fail();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(log.error).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    queries[4]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(log.info).toHaveBeenCalledTimes(1);
    directory.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(queries).toHaveLength(5);
  });
});
