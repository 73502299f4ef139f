import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createAccountSessions, describeBrowser, SESSION_LIFE_MS } from "@/lib/access/sign-in/account-sessions";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const ADDRESS = "192.0.2.1";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("sessions", () => {
  let nowMs = Date.UTC(2026, 0, 15);
  let accountId: string;
  const start = (replaces?: string) => sessions.start({ accountId, address: ADDRESS, userAgent: FIREFOX, replaces });
  const isOn = async ({ token }: { token: string }) => (await sessions.find(token, ADDRESS)) !== null;
  const listEvents = async () =>
    (await createAuditLog(testDatabase.db).list({ accountId, limit: 20 })).map(({ event }) => event);

  const sessions = createAccountSessions(testDatabase.db, { now: () => nowMs });
  const credentials = createCredentials(testDatabase.db, { now: () => nowMs, passwords: cheapPasswords });
  const accountStatus = createAccountStatus(testDatabase.db, { now: () => nowMs });
  beforeEach(async () => {
    accountId = (await someAccount(testDatabase.db)).id;
  });

  test("Only the token finds a session, and the token is not stored", async () => {
    const { token, ...session } = await start();
    expect(session).toMatchObject({ accountId, address: ADDRESS, browser: "Firefox on Linux", createdAtMs: nowMs });
    expect(await sessions.find(token, ADDRESS)).toEqual(session);
    for (const wrong of ["", session.id, `${token}x`, token.toLowerCase()])
      expect(await sessions.find(wrong, ADDRESS)).toBeNull();
    const { rows } = await testDatabase.db.pool.query("SELECT * FROM session");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("A session's last use is written at most once a minute", async () => {
    const { token, lastSeenAtMs } = await start();
    nowMs += 59_999;
    expect(await sessions.find(token, "192.0.2.2")).toMatchObject({ lastSeenAtMs, address: ADDRESS });
    nowMs += 1;
    const seen = { lastSeenAtMs: nowMs, address: "192.0.2.2" };
    expect(await sessions.find(token, "192.0.2.2")).toMatchObject(seen);
    nowMs += 60_000;
    expect(await sessions.find(token, null)).toMatchObject({ address: "192.0.2.2" });
    expect(await sessions.list(accountId)).toMatchObject([{ lastSeenAtMs: nowMs }]);
  });

  test("A session ends after fourteen days, even in use, and is then removed", async () => {
    const old = await start();
    nowMs += SESSION_LIFE_MS - 1;
    expect(await isOn(old)).toBe(true);
    nowMs += 1;
    expect(await isOn(old)).toBe(false);
    expect(await sessions.list(accountId)).toEqual([]);
    const next = await start();
    expect(await sessions.findAlive([old.id, next.id, "no id"])).toEqual(new Set([next.id]));
    expect(await testDatabase.db.prisma.session.count({ where: { id: old.id } })).toBe(0);
  });

  test("Every sign-in has a new token, and ends the browser's previous session", async () => {
    const [fixed, elsewhere] = [await start(), await start()];
    const renewed = await start(fixed.token);
    expect(renewed.token).not.toBe(fixed.token);
    expect(await Promise.all([fixed, elsewhere, renewed].map(isOn))).toEqual([false, true, true]);
  });

  test("Signing out ends the session and is recorded once", async () => {
    const session = await start();
    await sessions.end(session.token, ADDRESS);
    await sessions.end(session.token, ADDRESS);
    expect(await isOn(session)).toBe(false);
    expect(await listEvents()).toEqual(["session.end", "session.start", "account.create"]);
  });

  test("Only its own account may revoke a session", async () => {
    const [kept, revoked] = [await start(), await start()];
    const stranger = (await someAccount(testDatabase.db)).id;
    for (const id of [revoked.id, revoked.token, "1", "' OR 1=1"])
      await expect(sessions.revoke(stranger, id, { kind: "owner", accountId: stranger })).rejects.toMatchObject({
        code: "session_not_found",
      });
    expect(await isOn(revoked)).toBe(true);
    await sessions.revoke(accountId, revoked.id, { kind: "owner", accountId, address: ADDRESS });
    await expect(sessions.revoke(accountId, revoked.id, { kind: "owner", accountId })).rejects.toMatchObject({
      code: "session_not_found",
    });
    expect(await Promise.all([kept, revoked].map(isOn))).toEqual([true, false]);
  });

  test("An account ends all of its sessions, or all but one", async () => {
    const all = [await start(), await start(), await start()];
    const stranger = await someAccount(testDatabase.db);
    const others = await sessions.start({ accountId: stranger.id, address: null, userAgent: null });
    const [first] = all as [(typeof all)[0]];
    expect(await sessions.revokeOthers(accountId, first.id, { kind: "owner", accountId })).toBe(2);
    expect(await Promise.all(all.map(isOn))).toEqual([true, false, false]);
    expect(await sessions.revokeAll(accountId, OPERATOR_CLI)).toBe(1);
    expect(await sessions.revokeAll(accountId, OPERATOR_CLI)).toBe(0);
    expect(await isOn(others)).toBe(true);
    expect((await listEvents()).slice(0, 2)).toEqual(["session.revoke_all", "session.revoke_others"]);
  });

  test("A new password ends every session except the current one", async () => {
    const [own, other] = [await start(), await start()];
    await credentials.setPassword(accountId, "another horse battery", { kind: "owner", accountId }, own.id);
    expect(await Promise.all([own, other].map(isOn))).toEqual([true, false]);
    await credentials.setPassword(accountId, "one more horse battery");
    expect(await isOn(own)).toBe(false);
  });

  test("A suspension ends every session and prevents new ones, and resuming restores none", async () => {
    const session = await start();
    await accountStatus.setSuspended(accountId, true);
    expect(await isOn(session)).toBe(false);
    await expect(start()).rejects.toMatchObject({ code: "account_suspended" });
    await accountStatus.setSuspended(accountId, false);
    expect(await isOn(session)).toBe(false);
    expect(await isOn(await start())).toBe(true);
  });

  test("A confirmed password counts for its session alone", async () => {
    const [own, other] = [await start(), await start()];
    await sessions.confirm(own.id);
    expect(await sessions.find(own.token, ADDRESS)).toMatchObject({ confirmedAtMs: nowMs });
    expect(await sessions.find(other.token, ADDRESS)).toMatchObject({ confirmedAtMs: null });
  });

  test("An account keeps its fifty most recently seen sessions", async () => {
    const first = await start();
    nowMs += 1;
    for (let count = 0; count < 50; count++) await start();
    expect(await sessions.list(accountId)).toHaveLength(50);
    expect(await isOn(first)).toBe(false);
  });
});

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.1 Safari/605.1.15`, "Safari on macOS"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${WEBKIT} CriOS/140.0 Mobile Safari/604.1`,
    "Chrome on iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; SM-S921B) ${WEBKIT} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  ["curl/8.9.1", "curl"],
  ["Mozilla/5.0 (X11; Linux x86_64) NewEngine/1.0", "Unknown browser on Linux"],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
])("The browser %s is recognised", (userAgent, name) => {
  expect(describeBrowser(userAgent)).toBe(name);
});

test("The browser name has no other text of the header", () => {
  expect(describeBrowser("<script>alert(1)</script> Firefox/1.0")).toBe("Firefox");
});
