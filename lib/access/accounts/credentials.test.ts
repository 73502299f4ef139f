import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials, type Credentials } from "@/lib/access/accounts/credentials";
import { anonymous, OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import type { Passwords } from "@/lib/access/sign-in/passwords";
import { cheapPasswords, readAuditKeys, someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const RIGHT_PASSWORD = "correct horse battery";
const WRONG_PASSWORD = "wrong horse battery";

describe("credentials", () => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  let verified: (string | null)[] = [];
  const passwords: Passwords = {
    ...cheapPasswords,
    verify: (password, stored) => {
      verified.push(stored);
      return cheapPasswords.verify(password, stored);
    },
  };
  let accounts: ReturnType<typeof createAccounts>;
  let credentials: Credentials;
  let account: Account;
  let network = 0;
  /** Returns an address that no test has used before. */
  const newAddress = () => `198.51.${Math.floor(++network / 250)}.${1 + (network % 250)}`;
  const fail = async (times: number, email: string, address: string) => {
    for (let time = 0; time < times; time++)
      expect(await credentials.authenticate(email, WRONG_PASSWORD, address)).toBeNull();
  };

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    accounts = createAccounts(testDatabase.db, { now: () => nowMs, passwords });
    credentials = createCredentials(testDatabase.db, { now: () => nowMs, passwords });
  });
  beforeEach(async () => {
    account = await someAccount(testDatabase.db);
    verified = [];
  });
  afterAll(() => testDatabase.cleanup());

  test("An unknown address takes the same work as a wrong password", async () => {
    const from = newAddress();
    expect(await credentials.authenticate(account.email, WRONG_PASSWORD, from)).toBeNull();
    expect(await credentials.authenticate("nobody@example.com", WRONG_PASSWORD, from)).toBeNull();
    expect(verified).toEqual([expect.stringContaining("$scrypt$"), null]);
  });

  test("The sixth attempt from one network is refused for 15 minutes, even with the right password", async () => {
    const from = newAddress();
    await fail(5, account.email, from);
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, from)).toBeNull();
    expect(verified).toHaveLength(5);
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, newAddress())).toMatchObject({
      id: account.id,
    });
    nowMs += 15 * 60_000;
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, from)).toMatchObject({ id: account.id });
  });

  test("Guesses at an unknown address are limited too", async () => {
    const [from, unknownEmail] = [newAddress(), `nobody-${network}@example.com`];
    await fail(6, unknownEmail, from);
    expect(verified).toHaveLength(5);
  });

  test("The limit of a network counts all accounts, and a right password does not reset it", async () => {
    const from = newAddress();
    for (let time = 0; time < 30; time++) {
      expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, from)).not.toBeNull();
      await fail(1, `guess-${time}-${network}@example.com`, from);
    }
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, from)).toBeNull();
  });

  test("An IPv6 /64 counts as one network", async () => {
    const prefix = `2001:db8:0:${++network}`;
    await fail(5, account.email, `${prefix}::1`);
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, `${prefix}:ffff::2`)).toBeNull();
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, `2001:db8:1:${network}::1`)).not.toBeNull();
  });

  test("An account allows thirty wrong guesses an hour from all networks together", async () => {
    for (let time = 0; time < 30; time++) await fail(1, account.email, newAddress());
    verified = [];
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, newAddress())).toBeNull();
    expect(verified).toEqual([]);
    nowMs += 60 * 60_000;
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, newAddress())).not.toBeNull();
  });

  test("Guesses from other networks do not lock the owner out of a network with a sign-in of the last 90 days", async () => {
    const [home, away] = ["203.0.113.7", "2001:db8:7:7::1"];
    const sessions = createAccountSessions(testDatabase.db, { now: () => nowMs });
    for (const address of [home, away]) await sessions.start({ accountId: account.id, address, userAgent: null });
    for (let time = 0; time < 6; time++) await fail(5, account.email, newAddress());
    const enter = async (address: string) =>
      (await credentials.authenticate(account.email, RIGHT_PASSWORD, address))?.id ?? null;
    expect(await enter(newAddress())).toBeNull();
    expect(await enter(home)).toBe(account.id);
    expect(await enter("2001:db8:7:7:ffff::9")).toBe(account.id);
    // The limit of the account and the network together still holds there.
    await fail(5, account.email, home);
    expect(await enter(home)).toBeNull();
    nowMs += 90 * 86_400_000 + 1;
    for (let time = 0; time < 6; time++) await fail(5, account.email, newAddress());
    expect(await enter(home)).toBeNull();
  });

  test("Each reached limit is in the owner's audit log once", async () => {
    const from = newAddress();
    await fail(40, account.email, from);
    const list = () => createAuditLog(testDatabase.db).list({ accountId: account.id, limit: 50 });
    await expect.poll(async () => (await list()).length).toBe(2);
    const events = await list();
    expect(events.map(({ event }) => event)).toEqual(["account.sign_in_held", "account.create"]);
    expect(events[0]).toMatchObject({ actor: "somebody", address: from });
    expect(await createAuditLog(testDatabase.db).verify(await readAuditKeys(testDatabase.db))).toMatchObject({
      problem: null,
    });
  });

  test("An attempt that was refused as busy does not count", async () => {
    const from = newAddress();
    const busy: Passwords = { ...cheapPasswords, verify: () => Promise.reject(new Error("busy")) };
    const crowded = createCredentials(testDatabase.db, { now: () => nowMs, passwords: busy });
    for (let time = 0; time < 10; time++)
      await expect(crowded.authenticate(account.email, RIGHT_PASSWORD, from)).rejects.toThrow("busy");
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, from)).not.toBeNull();
  });

  test("A reached limit does not delay the answer of an account", async () => {
    const from = newAddress();
    await fail(4, account.email, from);
    const other = await testDatabase.db.pool.connect();
    try {
      // A transaction that records an event waits for this row.
      await other.query("BEGIN; SELECT FROM access_revision FOR UPDATE");
      await fail(1, account.email, from);
    } finally {
      await other.query("ROLLBACK");
      other.release();
    }
    const list = () => createAuditLog(testDatabase.db).list({ accountId: account.id, limit: 1 });
    await expect.poll(list).toMatchObject([{ event: "account.sign_in_held" }]);
  });

  test("Clients of unknown addresses are limited together, with ten times the limit of one", async () => {
    for (let time = 0; time < 300; time++)
      expect(await credentials.authenticate(`unknown-${time}@example.com`, WRONG_PASSWORD, null)).toBeNull();
    for (const address of [null, "unknown"])
      expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, address)).toBeNull();
    expect(await credentials.authenticate(account.email, RIGHT_PASSWORD, newAddress())).not.toBeNull();
  });

  test("A confirmation that was refused as busy does not count", async () => {
    const busy: Passwords = { ...cheapPasswords, verify: () => Promise.reject(new Error("busy")) };
    const crowded = createCredentials(testDatabase.db, { now: () => nowMs, passwords: busy });
    for (let time = 0; time < 10; time++)
      await expect(crowded.confirmPassword(account.id, RIGHT_PASSWORD)).rejects.toThrow("busy");
    expect(await credentials.confirmPassword(account.id, RIGHT_PASSWORD)).toBe(true);
  });

  test("A signed-in owner may enter five wrong passwords", async () => {
    for (let time = 0; time < 5; time++)
      expect(await credentials.confirmPassword(account.id, WRONG_PASSWORD)).toBe(false);
    await expect(credentials.confirmPassword(account.id, RIGHT_PASSWORD)).rejects.toThrow("Try again in 15 minutes.");
    nowMs += 15 * 60_000;
    expect(await credentials.confirmPassword(account.id, RIGHT_PASSWORD)).toBe(true);
  });

  test("Only the old password allows a new one", async () => {
    const by = { kind: "owner", accountId: account.id } as const;
    const change = { old: WRONG_PASSWORD, password: "another horse battery" };
    const sessionId = "00000000-0000-7000-8000-000000000000";
    await expect(credentials.changePassword(account.id, change, by, sessionId)).rejects.toMatchObject({
      code: "wrong_password",
    });
    await credentials.changePassword(account.id, { ...change, old: RIGHT_PASSWORD }, by, sessionId);
    expect(await credentials.authenticate(account.email, change.password, newAddress())).not.toBeNull();
  });

  test("A network creates at most thirty accounts an hour; the operator has no limit", async () => {
    const address = newAddress();
    const create = (by: Parameters<typeof accounts.create>[1]) =>
      accounts.create({ email: account.email, password: RIGHT_PASSWORD }, by);
    for (let time = 0; time < 30; time++)
      await expect(create(anonymous(address))).rejects.toMatchObject({ code: "email_taken" });
    await expect(create(anonymous(address))).rejects.toMatchObject({ code: "too_many_attempts" });
    await expect(create(OPERATOR_CLI)).rejects.toMatchObject({ code: "email_taken" });
  });
});
