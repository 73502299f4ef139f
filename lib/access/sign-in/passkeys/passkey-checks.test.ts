import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import {
  ADDRESS,
  type Behaviour,
  BROWSER,
  createPasskeyScene,
  type PasskeyScene,
  SECRET,
  SESSION,
  SITE,
} from "@/lib/access/testing/passkey-scene";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

const OTHER_SITE = { host: "evil.example", origin: "https://evil.example" };
const refused = { code: "passkey_refused" };

describe("the checks of passkeys", () => {
  let testDatabase: TestDatabase;
  let scene: PasskeyScene;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    scene = createPasskeyScene(testDatabase.db);
  });
  afterAll(() => testDatabase.cleanup());
  beforeEach(() => scene.becomeSomeone());

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
