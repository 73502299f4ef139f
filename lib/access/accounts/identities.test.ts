import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials, type Credentials } from "@/lib/access/accounts/credentials";
import { createIdentities, type Identities } from "@/lib/access/accounts/identities";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const nowMs = Date.UTC(2026, 0, 15);
const now = () => nowMs;
let made = 0;

function someIdentity() {
  made += 1;
  const issuer = "https://id.example.com";
  return { provider: "oidc", issuer, subject: `person-${made}`, email: `told-${made}@example.com` };
}

describe.each(databaseKinds)("identities in %s", (kind) => {
  let place: TestDatabase;
  let identities: Identities;
  let accounts: ReturnType<typeof createAccounts>;
  let credentials: Credentials;

  beforeAll(async () => {
    place = await openTestDatabase(kind);
    identities = createIdentities(place.db, { now });
    accounts = createAccounts(place.db, { now, passwords: cheapPasswords });
    credentials = createCredentials(place.db, { now, passwords: cheapPasswords });
  });
  afterAll(() => place.cleanup());

  const ownerOf = (accountId: string, confirmed = true) =>
    ({ kind: "owner", accountId, address: "203.0.113.7", confirmed }) as const;

  test("Only issuer and subject together find an account", async () => {
    const { id } = await someAccount(place.db);
    const told = someIdentity();
    expect(await identities.findAccountId(told)).toBeNull();
    await identities.link(told, ownerOf(id));
    expect(await identities.findAccountId(told)).toBe(id);
    expect(await identities.findAccountId({ ...told, issuer: "https://other.example.com" })).toBeNull();
    expect(await identities.findAccountId({ ...told, subject: told.email })).toBeNull();
    const [linked] = await identities.list(id);
    expect(linked).toMatchObject({ provider: "oidc", email: told.email, createdAtMs: nowMs });
  });

  test("An identity is linked once, and never to a second account", async () => {
    const [mine, theirs] = [await someAccount(place.db), await someAccount(place.db)];
    const told = someIdentity();
    await identities.link(told, ownerOf(mine.id));
    await identities.link(told, ownerOf(mine.id));
    expect(await identities.list(mine.id)).toHaveLength(1);
    await expect(identities.link(told, ownerOf(theirs.id))).rejects.toMatchObject({ code: "identity_state" });
    expect(await identities.list(theirs.id)).toEqual([]);
    const race = someIdentity();
    const results = await Promise.allSettled([mine, theirs].map(({ id }) => identities.link(race, ownerOf(id))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("An account created with an identity has no password, and no password opens it", async () => {
    const told = someIdentity();
    const account = await accounts.create({ email: told.email, password: null, identity: told });
    expect(account.hasPassword).toBe(false);
    expect(await identities.findAccountId(told)).toBe(account.id);
    for (const password of ["", "null", "correct horse battery"]) {
      expect(await credentials.authenticate(told.email, password)).toBeNull();
      expect(await credentials.confirmPassword(account.id, password)).toBe(false);
    }
    // An identity that is taken makes no account either.
    const twin = { email: `twin-${told.email}`, password: null, identity: told };
    await expect(accounts.create(twin)).rejects.toMatchObject({ code: "identity_state" });
    expect(await accounts.findByEmail(twin.email)).toBeNull();
  });

  test("An identity creates no account where sign-up is closed", async () => {
    await someAccount(place.db);
    for (const signUp of ["closed", "invitation"] as const) {
      const shut = createAccounts(place.db, { now, passwords: cheapPasswords, signUp });
      const told = someIdentity();
      const asked = shut.create({ email: told.email, password: null, identity: told });
      await expect(asked).rejects.toMatchObject({ code: "sign_up_closed" });
      expect(await identities.findAccountId(told)).toBeNull();
    }
  });

  test("A confirmed owner unlinks an identity, but not the last way to sign in", async () => {
    const told = someIdentity();
    const { id } = await accounts.create({ email: told.email, password: null, identity: told });
    const [linked] = await identities.list(id);
    const stranger = await someAccount(place.db);
    const unlink = (accountId: string, confirmed = true) =>
      identities.unlink(linked?.id ?? "", ownerOf(accountId, confirmed));
    await expect(unlink(id, false)).rejects.toMatchObject({ code: "confirmation_required" });
    await expect(unlink(stranger.id)).rejects.toMatchObject({ code: "identity_state" });
    await expect(identities.unlink("1", ownerOf(id))).rejects.toMatchObject({ code: "identity_state" });
    await expect(unlink(id)).rejects.toThrow("set a password first");
    await credentials.setPassword(id, "correct horse battery");
    await unlink(id);
    expect(await identities.findAccountId(told)).toBeNull();
    const events = await createAuditLog(place.db).list({ accountId: id, limit: 10 });
    expect(events.map(({ event }) => event).reverse()).toEqual([
      "account.create",
      "account.link_identity",
      "account.set_password",
      "account.unlink_identity",
    ]);
  });
});
