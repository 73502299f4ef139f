import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createIdentities } from "@/lib/access/accounts/identities";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { removePasskeys } from "@/lib/access/sign-in/passkeys";
import { ADDRESS, createPasskeyScene, type PasskeyScene, SESSION, SITE } from "@/lib/access/testing/passkey-scene";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

const refused = { code: "passkey_refused" };

describe("passkeys", () => {
  let testDatabase: TestDatabase;
  let scene: PasskeyScene;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    scene = createPasskeyScene(testDatabase.db);
  });
  afterAll(() => testDatabase.cleanup());
  beforeEach(() => scene.becomeSomeone());

  test("A passkey that was added signs in to its account, and shows its last use", async () => {
    expect(await scene.passkeys.has(scene.accountId)).toBe(false);
    const authenticator = await scene.add();
    const createdAtMs = scene.nowMs;
    const shown = { name: "Phone", backup: "backed-up", createdAtMs };
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ ...shown, lastUsedAtMs: null }]);
    expect(await scene.passkeys.has(scene.accountId)).toBe(true);
    scene.nowMs += MINUTE_MS;
    expect(await scene.signIn(authenticator)).toBe(scene.accountId);
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ ...shown, lastUsedAtMs: scene.nowMs }]);
    expect(await scene.listEvents()).toEqual(["account.create", "account.add_passkey"]);
  });

  test("Adding and removing need a confirmed owner, and only its owner changes a passkey", async () => {
    await scene.add();
    const id = await scene.findId();
    const confirmed = scene.owner;
    scene.owner = { ...scene.owner, confirmed: false };
    await expect(scene.begin()).rejects.toMatchObject({ code: "confirmation_required" });
    const unconfirmed = { site: SITE, ticket: "", response: "", boundTo: SESSION, name: "Phone" };
    await expect(scene.passkeys.add(unconfirmed, scene.owner)).rejects.toMatchObject({ code: "confirmation_required" });
    const removing = scene.passkeys.remove(id, scene.owner, { isRequired: false });
    await expect(removing).rejects.toMatchObject({ code: "confirmation_required" });
    await scene.becomeSomeone();
    const missing = { code: "passkey_state" };
    await expect(scene.passkeys.remove(id, scene.owner, { isRequired: false })).rejects.toMatchObject(missing);
    await expect(scene.passkeys.rename(id, "Mine", scene.owner)).rejects.toMatchObject(missing);
    await expect(scene.passkeys.rename("nonsense", "Mine", scene.owner)).rejects.toMatchObject(missing);
    scene.owner = confirmed;
    scene.accountId = scene.owner.accountId;
    await scene.passkeys.rename(id, " Tablet ", scene.owner);
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ name: "Tablet" }]);
    await scene.passkeys.remove(id, scene.owner, { isRequired: false });
    expect(await scene.passkeys.list(scene.accountId)).toEqual([]);
    expect((await scene.listEvents()).slice(-3)).toEqual([
      "account.add_passkey",
      "account.rename_passkey",
      "account.remove_passkey",
    ]);
  });

  test.each(["", "   ", "x".repeat(61), "a\u200Bb", "a\nb"])("The name %j is refused", async (name) => {
    await expect(scene.begin(name)).rejects.toMatchObject({ code: "invalid_name" });
    await scene.add();
    await expect(scene.passkeys.rename(await scene.findId(), name, scene.owner)).rejects.toMatchObject({
      code: "invalid_name",
    });
  });

  test("A passkey belongs to one account, and an account has twenty at most", async () => {
    const authenticator = await scene.add();
    await scene.becomeSomeone();
    const { options, ticket } = await scene.begin();
    const again = { site: SITE, ticket, response: authenticator.create(options), boundTo: SESSION, name: "Stolen" };
    await expect(scene.passkeys.add(again, scene.owner)).rejects.toMatchObject({ code: "passkey_state" });
    const waiting = await scene.begin();
    const { accountId } = scene;
    const shared = {
      accountId,
      publicKey: Buffer.alloc(1),
      counter: 0,
      name: "Phone",
      canBackUp: true,
      backedUp: true,
    };
    const rows = Array.from({ length: 20 }, (_, i) => {
      return { ...shared, credentialId: `${accountId} ${i}`, createdAt: new Date(scene.nowMs) };
    });
    await testDatabase.db.prisma.passkey.createMany({ data: rows });
    await expect(scene.begin()).rejects.toMatchObject({ code: "passkey_state" });
    const response = createSoftwareAuthenticator(SITE).create(waiting.options);
    const oneMore = { site: SITE, ticket: waiting.ticket, response, boundTo: SESSION, name: "One more" };
    await expect(scene.passkeys.add(oneMore, scene.owner)).rejects.toMatchObject({ code: "passkey_state" });
  });

  test("The last way to sign in stays, and the last second factor where one is required", async () => {
    const identities = createIdentities(testDatabase.db, { now: () => scene.nowMs });
    const identity = { provider: "oidc", issuer: "https://id.example", subject: scene.accountId, email: "a@b.example" };
    const unlink = async () => identities.unlink((await identities.list(scene.accountId))[0]?.id ?? "", scene.owner);
    const remove = async ({ isRequired = false } = {}) =>
      scene.passkeys.remove(await scene.findId(), scene.owner, { isRequired });
    const state = { code: "passkey_state" };
    await scene.add();
    await expect(remove({ isRequired: true })).rejects.toMatchObject(state);
    await testDatabase.db.prisma.account.update({ where: { id: scene.accountId }, data: { passwordHash: null } });
    await expect(remove()).rejects.toMatchObject(state);
    await identities.link(identity, scene.owner);
    await unlink();
    await expect(remove()).rejects.toMatchObject(state);
    await scene.add({}, "Second");
    await remove({ isRequired: true });
    await identities.link(identity, scene.owner);
    await remove();
    await expect(unlink()).rejects.toMatchObject({ code: "identity_state" });
  });

  test("A passkey that is a required second factor ends the sessions that lack it", async () => {
    const sessions = createAccountSessions(testDatabase.db, { now: () => scene.nowMs });
    const start = () => sessions.start({ accountId: scene.accountId, address: ADDRESS, userAgent: null });
    const [kept, other] = [await start(), await start()];
    await scene.add();
    expect([...(await sessions.findAlive([other.id]))]).toEqual([other.id]);
    const { options, ticket } = await scene.begin();
    const response = createSoftwareAuthenticator(SITE).create(options);
    const added = { site: SITE, ticket, response, boundTo: SESSION, name: "Key", endsSessionsBut: kept.id };
    await scene.passkeys.add(added, scene.owner);
    expect([...(await sessions.findAlive([other.id, kept.id]))]).toEqual([kept.id]);
  });

  test("The operator removes the passkeys of an account, and closing it does too", async () => {
    // The first account of a database is its operator's, which stays.
    await scene.becomeSomeone();
    const authenticator = await scene.add();
    await scene.add({}, "Second");
    expect(await removePasskeys(testDatabase.db, scene.accountId, scene.nowMs)).toBe(2);
    await expect(removePasskeys(testDatabase.db, scene.accountId, scene.nowMs)).rejects.toMatchObject({
      code: "passkey_state",
    });
    await expect(scene.signIn(authenticator)).rejects.toMatchObject(refused);
    expect((await scene.listEvents()).slice(-2)).toEqual(["account.remove_passkey", "account.remove_passkey"]);
    const closed = await scene.add();
    await createAccountStatus(testDatabase.db, { now: () => scene.nowMs }).close(scene.accountId);
    expect(await testDatabase.db.prisma.passkey.count({ where: { accountId: scene.accountId } })).toBe(0);
    await expect(scene.signIn(closed)).rejects.toMatchObject(refused);
  });
});
