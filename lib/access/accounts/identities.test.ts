import { afterAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createIdentities } from "@/lib/access/accounts/identities";
import { anonymous } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const nowMs = Date.UTC(2026, 0, 15);
const now = () => nowMs;
let created = 0;

function someIdentity() {
  created += 1;
  const issuer = "https://id.example.com";
  return { provider: "oidc", issuer, subject: `person-${created}`, email: `person-${created}@example.com` };
}

describe("identities", () => {
  const identities = createIdentities(testDatabase.db, { now });
  const accounts = createAccounts(testDatabase.db, { now, passwords: cheapPasswords });
  const credentials = createCredentials(testDatabase.db, { now, passwords: cheapPasswords });

  const visitor = anonymous("203.0.113.7");
  const toOwner = (accountId: string, confirmed = true) =>
    ({ kind: "owner", accountId, address: "203.0.113.7", confirmed }) as const;

  test("Only issuer and subject together find an account", async () => {
    const { id } = await someAccount(testDatabase.db);
    const identity = someIdentity();
    expect(await identities.findAccountId(identity)).toBeNull();
    await identities.link(identity, toOwner(id));
    expect(await identities.findAccountId(identity)).toBe(id);
    expect(await identities.findAccountId({ ...identity, issuer: "https://other.example.com" })).toBeNull();
    expect(await identities.findAccountId({ ...identity, subject: identity.email })).toBeNull();
    const [linked] = await identities.list(id);
    expect(linked).toMatchObject({ provider: "oidc", email: identity.email, createdAtMs: nowMs });
  });

  test("An identity is linked once, and never to a second account", async () => {
    const [mine, theirs] = [await someAccount(testDatabase.db), await someAccount(testDatabase.db)];
    const identity = someIdentity();
    await identities.link(identity, toOwner(mine.id));
    await identities.link(identity, toOwner(mine.id));
    expect(await identities.list(mine.id)).toHaveLength(1);
    await expect(identities.link(identity, toOwner(theirs.id))).rejects.toMatchObject({ code: "identity_state" });
    expect(await identities.list(theirs.id)).toEqual([]);
    const race = someIdentity();
    const results = await Promise.allSettled([mine, theirs].map(({ id }) => identities.link(race, toOwner(id))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("An account created with an identity has no password, and every password is refused", async () => {
    const identity = someIdentity();
    const account = await accounts.create({ email: identity.email, password: null, identity }, visitor);
    expect(account.hasPassword).toBe(false);
    expect(await identities.findAccountId(identity)).toBe(account.id);
    for (const password of ["", "null", "correct horse battery"]) {
      expect(await credentials.authenticate(identity.email, password)).toBeNull();
      expect(await credentials.confirmPassword(account.id, password)).toBe(false);
    }
    // An identity that is linked already creates no account.
    const twin = { email: `twin-${identity.email}`, password: null, identity };
    await expect(accounts.create(twin, visitor)).rejects.toMatchObject({ code: "identity_state" });
    expect(await accounts.findByEmail(twin.email)).toBeNull();
  });

  test("An identity creates no account if sign-up is closed", async () => {
    await someAccount(testDatabase.db);
    for (const signUp of ["closed", "invitation"] as const) {
      const restricted = createAccounts(testDatabase.db, { now, passwords: cheapPasswords, signUp });
      const identity = someIdentity();
      const signingUp = restricted.create({ email: identity.email, password: null, identity }, visitor);
      await expect(signingUp).rejects.toMatchObject({ code: "sign_up_closed" });
      expect(await identities.findAccountId(identity)).toBeNull();
    }
  });

  test("A confirmed owner unlinks an identity, but not the last way to sign in", async () => {
    const identity = someIdentity();
    const { id } = await accounts.create({ email: identity.email, password: null, identity }, visitor);
    const [linked] = await identities.list(id);
    const stranger = await someAccount(testDatabase.db);
    const unlink = (accountId: string, confirmed = true) =>
      identities.unlink(linked?.id ?? "", toOwner(accountId, confirmed));
    await expect(unlink(id, false)).rejects.toMatchObject({ code: "confirmation_required" });
    await expect(unlink(stranger.id)).rejects.toMatchObject({ code: "identity_state" });
    await expect(identities.unlink("1", toOwner(id))).rejects.toMatchObject({ code: "identity_state" });
    await expect(unlink(id)).rejects.toThrow("set a password first");
    await credentials.setPassword(id, "correct horse battery");
    await unlink(id);
    expect(await identities.findAccountId(identity)).toBeNull();
    const events = await createAuditLog(testDatabase.db).list({ accountId: id, limit: 10 });
    expect(events.map(({ event }) => event).reverse()).toEqual([
      "account.create",
      "account.link_identity",
      "account.set_password",
      "account.unlink_identity",
    ]);
  });

  test("Refusals of a provider's sign-in are recorded, six an hour at most", async () => {
    const { id } = await someAccount(testDatabase.db);
    const after = { provider: "oidc", problem: "group" };
    for (let count = 0; count < 8; count += 1) await identities.recordRefusal(id, after, "203.0.113.7");
    const events = await createAuditLog(testDatabase.db).list({ accountId: id, limit: 20 });
    const refusals = events.filter(({ event }) => event === "account.refuse_sign_in");
    expect(refusals).toHaveLength(6);
    expect(refusals[0]).toMatchObject({ actor: "somebody", address: "203.0.113.7", after });
  });
});
