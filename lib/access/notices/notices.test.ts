import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Account } from "@/lib/access/accounts/account";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createDirectory, type Directory } from "@/lib/access/admission/directory";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { createLinks } from "@/lib/access/links";
import { createKeyUses } from "@/lib/access/notices/key-uses";
import { createNotices, type NoticeFacts, type Notices } from "@/lib/access/notices/notices";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { removePasskeys } from "@/lib/access/sign-in/passkeys";
import { createSecondFactors, resetSecondFactor } from "@/lib/access/sign-in/second-factor";
import { createNoticeScene, type NoticeScene } from "@/lib/access/testing/notice-scene";
import { createPasskeyScene } from "@/lib/access/testing/passkey-scene";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const noon = Date.UTC(2026, 0, 15, 12);
const QUOTA: NoticeFacts = { kind: "quota", keys: "account", day: "2026-01-15", percent: 50, used: 5, limit: 10 };
const UNUSED: NoticeFacts = { kind: "unused", keyId: "k", label: "desk", createdOn: "2025-01-15", lastUsedOn: null };
const SECURITY: NoticeFacts = {
  kind: "security",
  event: "key used",
  at: "2026-01-15T12:00:00.000Z",
  keyId: "k",
  label: "desk",
  address: null,
  byOperator: false,
};

describe("the choice of notices by mail", () => {
  let testDatabase: TestDatabase;
  let notices: Notices;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    notices = createNotices(testDatabase.db.pool, { now: () => noon });
  });
  afterAll(() => testDatabase.cleanup());

  const add = (accountId: string) =>
    notices.add(
      [QUOTA, UNUSED, SECURITY].map((facts) => ({ accountId, topic: facts.kind, level: 1, facts })),
      true,
    );
  const claimKinds = async () => (await notices.claimDueMails()).map(({ facts }) => facts.kind).toSorted();

  test("Every notice is mailed until the account chooses otherwise", async () => {
    const { id } = await someAccount(testDatabase.db);
    expect(await notices.readUnmailed(id)).toEqual([]);
    await add(id);
    expect(await claimKinds()).toEqual(["quota", "security", "unused"]);
  });

  test("A kind that is switched off is on the page only, and security is always mailed", async () => {
    const { id } = await someAccount(testDatabase.db);
    const everything = ["quota", "expiry", "unused", "plan", "security"] as unknown as ["quota"];
    await notices.setUnmailed(id, ["quota"]);
    expect(await notices.readUnmailed(id)).toEqual(["quota"]);
    await add(id);
    expect(await claimKinds()).toEqual(["security", "unused"]);
    expect(await notices.list(id)).toHaveLength(3);
    await notices.setUnmailed(id, everything);
    expect(await notices.readUnmailed(id)).toEqual(["quota", "expiry", "unused", "plan"]);
    const { id: other } = await someAccount(testDatabase.db);
    await notices.setUnmailed(other, everything);
    await add(other);
    expect(await claimKinds()).toEqual(["security"]);
  });

  test("Mails that wait are not sent once their kind is switched off", async () => {
    const { id } = await someAccount(testDatabase.db);
    await add(id);
    await notices.setUnmailed(id, ["quota", "unused"]);
    expect(await claimKinds()).toEqual(["security"]);
  });
});

describe("security notices", () => {
  let testDatabase: TestDatabase;
  let directory: Directory;
  let scene: NoticeScene;
  let keys: Keys;
  let account: Account;
  let nowMs = Date.UTC(2026, 0, 15, 12);
  const now = () => nowMs;
  const by = () => ({ kind: "owner", accountId: account.id, address: "203.0.113.7", confirmed: true }) as const;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    directory = createDirectory(testDatabase.db, { now, log: silentLog });
    scene = createNoticeScene(testDatabase.db, { directory, now });
    keys = createKeys(testDatabase.db, { now, directory });
    await scene.watch().check();
  });
  beforeEach(async () => {
    account = await someAccount(testDatabase.db, "free", now);
  });
  afterAll(() => testDatabase.cleanup());

  const takeNotices = () => scene.take(account.id);

  async function createReportedKey(): Promise<string> {
    const { id } = await keys.create({ accountId: account.id, label: "Desk", scopes: ["quotes"] }, OPERATOR_CLI);
    await takeNotices();
    return id;
  }

  test("A new key is reported to its owner, with the address and without the secret", async () => {
    const input = { accountId: account.id, label: "Desk", scopes: ["quotes"] };
    const { secret, id } = await keys.create(input, by());
    const rows = await takeNotices();
    expect(rows).toEqual([
      "A key was created: “Desk”. With your account from 203.0.113.7, at 2026-01-15 12:00 UTC. If that was not you, " +
        "revoke the key and change your password, which ends all other sessions.",
    ]);
    expect(JSON.stringify(await scene.notices.list(account.id))).not.toContain(secret);
    expect(await takeNotices()).toEqual([]);
    await keys.rotate(id, "now", by());
    expect(await takeNotices()).toEqual([expect.stringMatching(/^A new secret was made for the key “Desk”\./)]);
  });

  test("An operator's change is reported to the owner, without the operator's address", async () => {
    await keys.create({ accountId: account.id, label: "Desk", scopes: ["quotes"] }, OPERATOR_CLI);
    const operator = { kind: "operator", accountId: (await someAccount(testDatabase.db)).id } as const;
    const confirmed = { ...operator, address: "198.51.100.1", confirmed: true };
    await keys.create({ accountId: account.id, label: "Bot", scopes: ["quotes"] }, confirmed);
    const rows = await takeNotices();
    expect(rows.toSorted()).toEqual([
      "A key was created: “Bot”. By an operator, at 2026-01-15 12:00 UTC.",
      "A key was created: “Desk”. By an operator, at 2026-01-15 12:00 UTC.",
    ]);
  });

  test("Changes that allow a key more share the notice of an hour", async () => {
    const id = await createReportedKey();
    await keys.update(id, { addresses: ["203.0.113.0/24"], label: "Bot" }, by());
    expect(await takeNotices()).toEqual([]);
    await keys.update(id, { scopes: ["all"] }, by());
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/^More is allowed to the key “Bot”\. With your account [^;]* all other sessions\.$/),
    ]);
    nowMs += MINUTE_MS;
    await keys.update(id, { addresses: [] }, { ...by(), address: "198.51.100.66" });
    expect(await takeNotices()).toEqual([
      expect.stringMatching(
        /^More is allowed to the key “Bot”\. With .* 12:00 UTC\. .* Since then: 198\.51\.100\.66 at 2026-01-15 12:01 UTC\.$/,
      ),
    ]);
    await keys.update(id, { expiresAtMs: nowMs + HOUR_MS }, by());
    expect(await takeNotices()).toEqual([]);
    expect(await scene.notices.list(account.id)).toHaveLength(2);
    nowMs += HOUR_MS - MINUTE_MS;
    await keys.update(id, { expiresAtMs: null }, by());
    expect(await takeNotices()).toEqual([expect.not.stringMatching(/Since then/)]);
  });

  test("A link, an enabled key and a restored key are reported to the owner of the key", async () => {
    const id = await createReportedKey();
    const links = createLinks(testDatabase.db, { now });
    await links.create(id, { path: "/v1/ohlc", query: "symbol=EURUSD" }, by());
    expect(await takeNotices()).toEqual([
      "A link was created for the key “Desk”. It opens /v1/ohlc without a key. With your account from 203.0.113.7, at " +
        "2026-01-15 13:00 UTC. If that was not you, revoke the link and change your password, which ends all other sessions.",
    ]);
    await links.create(id, { path: "/udf", query: "" }, by());
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/Since then: \/udf, 203\.0\.113\.7 at 2026-01-15 13:00 UTC\.$/),
    ]);
    await keys.disable(id, by());
    await keys.enable(id, by());
    await keys.revoke(id, by());
    await keys.restore(id, OPERATOR_CLI);
    expect((await takeNotices()).toSorted()).toEqual([
      expect.stringMatching(
        /^The key “Desk” was enabled\. With your account from 203\.0\.113\.7, at .* revoke the key/,
      ),
      "The key “Desk” was restored. By an operator, at 2026-01-15 13:00 UTC.",
    ]);
  });

  test.each([{ perMinute: null }, { perDay: 20 }, { endpoints: [] }, { symbols: ["forex", "metals"] }])(
    "The restriction %j, in place of a narrower one, is reported as more",
    async (changes) => {
      const restricted = { endpoints: ["/v1/quote"], symbols: ["forex"], perMinute: 5, perDay: 10 };
      const { id } = await keys.create({ accountId: account.id, label: "Bot", scopes: ["all"] }, by());
      await takeNotices();
      await keys.update(id, restricted, by());
      expect(await takeNotices()).toEqual([]);
      await keys.update(id, changes, by());
      expect(await takeNotices()).toEqual([expect.stringMatching(/^More is allowed to the key “Bot”\./)]);
    },
  );

  test("Sign-ins from networks that the account did not use before share the notice of an hour", async () => {
    const sessions = createAccountSessions(testDatabase.db, { now });
    const signIn = async (address: string | null) => {
      await sessions.start({ accountId: account.id, address, userAgent: null });
      return takeNotices();
    };
    expect(await signIn("203.0.113.7")).toEqual([]);
    expect(await signIn("203.0.113.7")).toEqual([]);
    expect(await signIn(null)).toEqual([]);
    const [text] = await signIn("198.51.100.1");
    expect(text).toMatch(/^Someone signed in to your account from a new place\. .* from 198\.51\.100\.1, at /);
    expect(await signIn("198.51.100.2")).toEqual([
      expect.stringMatching(/ from 198\.51\.100\.1, at .* Since then: .*, 198\.51\.100\.2 at [\d-]+ [\d:]+ UTC\.$/),
    ]);
    nowMs += HOUR_MS;
    expect(await signIn("198.51.100.1")).toEqual([]);
    expect(await signIn("198.51.100.3")).toEqual([expect.not.stringMatching(/Since then/)]);
  });

  test("A new password is reported to its owner, also if an operator set it", async () => {
    const { setPassword } = createCredentials(testDatabase.db, { now, passwords: cheapPasswords });
    await setPassword(account.id, "entirely different words", by());
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/^The password of your account was changed\. With your account from 203\.0\.113\.7, at /),
    ]);
    nowMs += HOUR_MS;
    await setPassword(account.id, "some other words again");
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/^The password of your account was changed\. By an operator, at /),
    ]);
  });

  test("The end of the second factor is reported to the owner", async () => {
    const { prisma } = testDatabase.db;
    const confirmedAt = new Date(nowMs);
    const data = { accountId: account.id, sealedSecret: "sealed", startedAt: confirmedAt, confirmedAt };
    await prisma.secondFactor.create({ data });
    await resetSecondFactor(testDatabase.db, account.id, nowMs);
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/^The second factor of your account is off\. By an operator, at .* Your password alone/),
    ]);
  });

  test("An owner who turns the second factor off gets a notice of it", async () => {
    const factors = createSecondFactors(testDatabase.db, {
      now,
      secret: "one session secret of more than 32 characters",
    });
    await factors.begin(by());
    const { secret = "" } = (await factors.enrolment(account.id, "a@example.com")) ?? {};
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
    const [recoveryCode = ""] = await factors.confirm(code, by());
    await takeNotices();
    await factors.disable(recoveryCode, by());
    expect(await takeNotices()).toEqual([
      expect.stringMatching(/^The second factor of your account is off\. With your account from 203\.0\.113\.7, at /),
    ]);
  });

  test("Events before the first start are not reported, and events while no server ran are", async () => {
    const { prisma } = testDatabase.db;
    await prisma.setting.delete({ where: { name: "notices-read" } });
    await keys.create({ accountId: account.id, label: "Old", scopes: ["quotes"] }, by());
    expect(await takeNotices()).toEqual([]);
    await keys.create({ accountId: account.id, label: "New", scopes: ["quotes"] }, by());
    expect(await takeNotices()).toEqual([expect.stringMatching(/“New”/)]);
  });

  test("Passkeys that are added, removed or refused are reported", async () => {
    const scene = createPasskeyScene(testDatabase.db);
    const passkeys = Object.assign(scene, { nowMs, accountId: account.id, owner: by() });
    const authenticator = await passkeys.add({ canBackUp: false, counter: 7 });
    expect(await takeNotices()).toEqual([
      expect.stringMatching(
        /^A passkey was added to your account: “Phone”\. With your account from 203\.0\.113\.7, at .* remove it and change/,
      ),
    ]);
    for (let i = 0; i < 2; i++) await expect(passkeys.signIn(authenticator, { counter: 7 })).rejects.toThrow();
    expect(await takeNotices()).toEqual([
      expect.stringMatching(
        /^A copy of your passkey may have been used: “Phone”\. It was refused from 203\.0\.113\.7, at/,
      ),
    ]);
    await removePasskeys(testDatabase.db, account.id, nowMs);
    expect(await takeNotices()).toEqual([
      expect.stringMatching(
        /^A passkey of your account was removed: “Phone”\. By an operator, at [\d-]+ [\d:]+ UTC\.$/,
      ),
    ]);
  });

  test("A notice is mailed where mail is configured", async () => {
    const mails: Parameters<Mailer["send"]>[0][] = [];
    const { id } = await keys.create({ accountId: account.id, label: "Desk", scopes: ["quotes"] }, by());
    await scene.watch(createKeyUses(), { send: async (mail) => void mails.push(mail) }).check();
    expect(mails).toMatchObject([{ to: account.email, subject: "A key was created: “Desk”" }]);
    expect(mails[0]?.text).toContain(`https://prices.example/keys/${id}`);
  });
});
