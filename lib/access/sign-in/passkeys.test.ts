import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createIdentities } from "@/lib/access/accounts/identities";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { removePasskeys } from "@/lib/access/sign-in/passkeys";
import {
  ADDRESS,
  type Behaviour,
  BROWSER,
  createPasskeyScene,
  SECRET,
  SESSION,
  SITE,
} from "@/lib/access/testing/passkey-scene";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

const refused = { code: "passkey_refused" };
const OTHER_SITE = { host: "evil.example", origin: "https://evil.example" };
const testDatabase = await openTestDatabase();
const scene = createPasskeyScene(testDatabase.db);
afterAll(() => testDatabase.cleanup());
beforeEach(() => scene.becomeSomeone());

describe("passkeys", () => {
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

describe("the checks of passkeys", () => {
  test("The options require a verified user and a passkey that names its account", async () => {
    const authenticator = await scene.add();
    const { options } = await scene.begin();
    expect(options).toMatchObject({
      rp: { id: SITE.host },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [{ id: authenticator.id }],
    });
    expect(JSON.stringify(options.user)).not.toContain(scene.accountId);
    const anyone = await scene.passkeys.beginSignIn(SITE, BROWSER);
    expect(anyone.options).toMatchObject({ rpId: SITE.host, userVerification: "required" });
    expect(anyone.options.allowCredentials ?? []).toEqual([]);
    const own = await scene.passkeys.beginConfirmation(SITE, scene.accountId, SESSION);
    expect(own.options.allowCredentials).toMatchObject([{ id: authenticator.id, transports: ["internal"] }]);
  });

  test.each<[string, Behaviour]>([
    ["an unverified user", { isUserVerified: false }],
    ["another site", { site: OTHER_SITE }],
    ["another origin of the same host", { site: { host: SITE.host, origin: "http://prices.example.com" } }],
    ["another challenge", { challenge: Buffer.alloc(32).toString("base64url") }],
    ["another type of response", { type: "webauthn.mixed-up" }],
    ["no account", { userHandle: null }],
    ["another account", { userHandle: Buffer.alloc(16, 7).toString("base64url") }],
  ])("A sign-in with %s is refused", async (_, behaviour) => {
    const authenticator = await scene.add();
    await expect(scene.signIn(authenticator, behaviour)).rejects.toMatchObject(refused);
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ lastUsedAtMs: null }]);
    expect(await scene.signIn(authenticator)).toBe(scene.accountId);
  });

  test.each<[string, Behaviour]>([
    ["an unverified user", { isUserVerified: false }],
    ["another site", { site: OTHER_SITE }],
    ["another challenge", { challenge: "AAAA" }],
    // {"x5c": []}: a list of certificates.
    ["certificates", { format: { name: "packed", statement: Buffer.from("a16378356380", "hex") } }],
    ["an attestation that was not requested", { format: { name: "tpm", statement: Buffer.from([0xa0]) } }],
  ])("A new passkey with %s is not stored", async (_, behaviour) => {
    await expect(scene.add(behaviour)).rejects.toMatchObject(refused);
    expect(await scene.passkeys.list(scene.accountId)).toEqual([]);
  });

  test("An unknown passkey, a foreign signature and nonsense get the same answer", async () => {
    const authenticator = await scene.add();
    const stranger = createSoftwareAuthenticator(SITE);
    const { options, ticket } = await scene.passkeys.beginSignIn(SITE, BROWSER);
    const forged = { ...JSON.parse(stranger.use(options)), id: authenticator.id, rawId: authenticator.id };
    const messages = new Set<string>();
    for (const response of ["", "{", "null", "[]", '{"id":5}', "x".repeat(20_000), stranger.use(options), forged]) {
      const text = typeof response === "string" ? response : JSON.stringify(response);
      const fresh = response === "" ? ticket : (await scene.passkeys.beginSignIn(SITE, BROWSER)).ticket;
      const signing = scene.passkeys.signIn({
        site: SITE,
        ticket: fresh,
        response: text,
        boundTo: BROWSER,
        address: ADDRESS,
      });
      await expect(signing).rejects.toMatchObject(refused);
      await signing.catch((error: Error) => messages.add(error.message));
    }
    expect(messages.size).toBe(1);
  });

  test("A challenge is accepted once, in ten minutes, by the same browser, in every process", async () => {
    const authenticator = await scene.add();
    const { options, ticket } = await scene.passkeys.beginSignIn(SITE, BROWSER);
    const use = { site: SITE, ticket, response: authenticator.use(options), boundTo: BROWSER, address: ADDRESS };
    await expect(scene.passkeys.signIn({ ...use, boundTo: "another browser" })).rejects.toMatchObject(refused);
    await expect(scene.passkeys.signIn({ ...use, ticket: "forged" })).rejects.toMatchObject(refused);
    await expect(scene.open(`${SECRET}, changed`).signIn(use)).rejects.toMatchObject(refused);
    const results = await Promise.allSettled(
      [scene.open(), scene.passkeys, scene.open(), scene.passkeys].map((each) => each.signIn(use)),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    scene.nowMs += MINUTE_MS;
    await expect(scene.passkeys.signIn(use)).rejects.toMatchObject(refused);
    const late = await scene.passkeys.beginSignIn(SITE, BROWSER);
    scene.nowMs += 10 * MINUTE_MS;
    const response = authenticator.use(late.options);
    await expect(scene.passkeys.signIn({ ...use, ticket: late.ticket, response })).rejects.toMatchObject(refused);
  });

  test("A challenge of one purpose is not accepted for another", async () => {
    const authenticator = await scene.add();
    const { options, ticket } = await scene.passkeys.beginConfirmation(SITE, scene.accountId, SESSION);
    const use = { site: SITE, ticket, response: authenticator.use(options), boundTo: SESSION, address: ADDRESS };
    await expect(scene.passkeys.signIn(use)).rejects.toMatchObject(refused);
    await scene.passkeys.confirm(use, scene.accountId);
    const signing = await scene.passkeys.beginSignIn(SITE, SESSION);
    const other = { ...use, ticket: signing.ticket, response: authenticator.use(signing.options) };
    await expect(scene.passkeys.confirm(other, scene.accountId)).rejects.toMatchObject(refused);
  });

  test("A counter that does not rise is refused and recorded, also of two uses at the same time", async () => {
    const authenticator = await scene.add({ canBackUp: false, counter: 5 });
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ backup: "device-bound" }]);
    await scene.signIn(authenticator, { canBackUp: false, counter: 6 });
    for (const counter of [6, 5, 0]) {
      await expect(scene.signIn(authenticator, { canBackUp: false, counter })).rejects.toMatchObject(refused);
    }
    const both = [1, 2].map(() => scene.signIn(authenticator, { canBackUp: false, counter: 9 }));
    expect((await Promise.allSettled(both)).map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await scene.listEvents()).filter((event) => event === "account.refuse_passkey")).toHaveLength(4);
    const [last] = await createAuditLog(testDatabase.db).list({ accountId: scene.accountId, limit: 1 });
    expect(last).toMatchObject({ actor: "somebody", address: ADDRESS, after: { counter: 9, stored_counter: 9 } });
  });

  test("A passkey that is backed up later is shown as such", async () => {
    const authenticator = await scene.add({ canBackUp: true, isBackedUp: false });
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ backup: "not-yet" }]);
    await scene.signIn(authenticator);
    expect(await scene.passkeys.list(scene.accountId)).toMatchObject([{ backup: "backed-up" }]);
  });

  test("Only a passkey of the account confirms its changes, and five wrong ones block for 15 minutes", async () => {
    const own = await scene.add();
    await scene.confirm(own);
    await scene.confirm(own, { userHandle: null });
    const ownId = scene.accountId;
    await scene.becomeSomeone();
    const theirs = await scene.add();
    scene.accountId = ownId;
    for (let i = 0; i < 5; i++) await expect(scene.confirm(theirs)).rejects.toMatchObject(refused);
    await expect(scene.confirm(own)).rejects.toMatchObject({ code: "too_many_attempts" });
    scene.nowMs += 15 * MINUTE_MS;
    await scene.confirm(own);
  });

  test("A network that sends thirty wrong passkeys must wait; right ones do not count", async () => {
    const authenticator = await scene.add();
    const wrong = () => scene.signIn(authenticator, { isUserVerified: false });
    for (let i = 0; i < 29; i++) await expect(wrong()).rejects.toMatchObject(refused);
    for (let i = 0; i < 3; i++) await scene.signIn(authenticator);
    await expect(wrong()).rejects.toMatchObject(refused);
    await expect(scene.signIn(authenticator)).rejects.toMatchObject({ code: "too_many_attempts" });
    const { options, ticket } = await scene.passkeys.beginSignIn(SITE, BROWSER);
    const use = { site: SITE, ticket, response: authenticator.use(options), boundTo: BROWSER };
    expect(await scene.passkeys.signIn({ ...use, address: "198.51.100.1" })).toBe(scene.accountId);
    scene.nowMs += 15 * MINUTE_MS;
    expect(await scene.signIn(authenticator)).toBe(scene.accountId);
  });
});
