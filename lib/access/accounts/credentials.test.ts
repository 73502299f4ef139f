import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials, type Credentials } from "@/lib/access/accounts/credentials";
import { anonymous, OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import type { Passwords } from "@/lib/access/sign-in/passwords";
import { cheapPasswords, someAccount } from "@/lib/access/testing/residents";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const right = "correct horse battery";
const wrong = "wrong horse battery";

describe.each(databaseKinds)("signing in, in %s", (kind) => {
  let place: TestDatabase;
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
  /** An address nobody has used before. */
  const newAddress = () => `198.51.${Math.floor(++network / 250)}.${1 + (network % 250)}`;
  const fail = async (times: number, email: string, address: string) => {
    for (let time = 0; time < times; time++) expect(await credentials.authenticate(email, wrong, address)).toBeNull();
  };

  beforeAll(async () => {
    place = await openTestDatabase(kind);
    accounts = createAccounts(place.db, { now: () => nowMs, passwords });
    credentials = createCredentials(place.db, { now: () => nowMs, passwords });
  });
  beforeEach(async () => {
    account = await someAccount(place.db);
    verified = [];
  });
  afterAll(() => place.cleanup());

  test("does the same work for an address that has no account as for a wrong password", async () => {
    const from = newAddress();
    expect(await credentials.authenticate(account.email, wrong, from)).toBeNull();
    expect(await credentials.authenticate("nobody@example.com", wrong, from)).toBeNull();
    expect(verified).toEqual([expect.stringContaining("$scrypt$"), null]);
  });

  test("holds back the sixth attempt from one place, the right password too, for a quarter of an hour", async () => {
    const from = newAddress();
    await fail(5, account.email, from);
    expect(await credentials.authenticate(account.email, right, from)).toBeNull();
    expect(verified).toHaveLength(5);
    expect(await credentials.authenticate(account.email, right, newAddress())).toMatchObject({ id: account.id });
    nowMs += 15 * 60_000;
    expect(await credentials.authenticate(account.email, right, from)).toMatchObject({ id: account.id });
  });

  test("holds back guesses at nobody's account just as well", async () => {
    const [from, nobody] = [newAddress(), `nobody-${network}@example.com`];
    await fail(6, nobody, from);
    expect(verified).toHaveLength(5);
  });

  test("counts one place over all accounts, whether they exist or not, and is not appeased by a right one", async () => {
    const from = newAddress();
    for (let time = 0; time < 30; time++) {
      expect(await credentials.authenticate(account.email, right, from)).not.toBeNull();
      await fail(1, `guess-${time}-${network}@example.com`, from);
    }
    expect(await credentials.authenticate(account.email, right, from)).toBeNull();
  });

  test("counts one IPv6 subscriber as one place", async () => {
    const prefix = `2001:db8:0:${++network}`;
    await fail(5, account.email, `${prefix}::1`);
    expect(await credentials.authenticate(account.email, right, `${prefix}:ffff::2`)).toBeNull();
    expect(await credentials.authenticate(account.email, right, `2001:db8:1:${network}::1`)).not.toBeNull();
  });

  test("counts one account over all places, so that many addresses buy no more than thirty guesses an hour", async () => {
    for (let time = 0; time < 30; time++) await fail(1, account.email, newAddress());
    verified = [];
    expect(await credentials.authenticate(account.email, right, newAddress())).toBeNull();
    expect(verified).toEqual([]);
    nowMs += 60 * 60_000;
    expect(await credentials.authenticate(account.email, right, newAddress())).not.toBeNull();
  });

  test("tells the owner of a burst, once for each", async () => {
    const from = newAddress();
    await fail(40, account.email, from);
    const events = await createAuditLog(place.db).list({ accountId: account.id, limit: 50 });
    expect(events.map(({ event }) => event)).toEqual(["account.sign_in_held", "account.create"]);
    expect(events[0]).toMatchObject({ actor: "somebody", address: from });
    expect(await createAuditLog(place.db).verify()).toMatchObject({ problem: null });
  });

  test("takes no attempt away while too many are waiting", async () => {
    const from = newAddress();
    const busy: Passwords = { ...cheapPasswords, verify: () => Promise.reject(new Error("busy")) };
    const crowded = createCredentials(place.db, { now: () => nowMs, passwords: busy });
    for (let time = 0; time < 10; time++)
      await expect(crowded.authenticate(account.email, right, from)).rejects.toThrow("busy");
    expect(await credentials.authenticate(account.email, right, from)).not.toBeNull();
  });

  test("lets an owner who is signed in confirm a password five times wrongly", async () => {
    for (let time = 0; time < 5; time++) expect(await credentials.confirmPassword(account.id, wrong)).toBe(false);
    await expect(credentials.confirmPassword(account.id, right)).rejects.toThrow("Try again in 15 minutes.");
    nowMs += 15 * 60_000;
    expect(await credentials.confirmPassword(account.id, right)).toBe(true);
  });

  test("changes a password for who knows the old one", async () => {
    const by = { kind: "owner", accountId: account.id } as const;
    const change = { old: wrong, password: "another horse battery" };
    const nobody = "00000000-0000-7000-8000-000000000000";
    await expect(credentials.changePassword(account.id, change, by, nobody)).rejects.toMatchObject({
      code: "wrong_password",
    });
    await credentials.changePassword(account.id, { ...change, old: right }, by, nobody);
    expect(await credentials.authenticate(account.email, change.password, newAddress())).not.toBeNull();
  });

  test("makes so many accounts an hour for one place, and asks nothing of the operator's own", async () => {
    const address = newAddress();
    const create = (by: Parameters<typeof accounts.create>[1]) =>
      accounts.create({ email: account.email, password: right }, by);
    for (let time = 0; time < 30; time++)
      await expect(create(anonymous(address))).rejects.toMatchObject({ code: "email_taken" });
    await expect(create(anonymous(address))).rejects.toMatchObject({ code: "too_many_attempts" });
    await expect(create(OPERATOR_CLI)).rejects.toMatchObject({ code: "email_taken" });
  });
});
