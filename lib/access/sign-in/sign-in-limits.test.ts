import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createAccess } from "@/lib/access/create-access";
import { createSecondFactors } from "@/lib/access/sign-in/second-factor";
import {
  CHANGE_LIMITS,
  createAttempts,
  createChangeLimits,
  type RefusedSignIn,
  RefusedSignIns,
} from "@/lib/access/sign-in/sign-in-limits";
import { ADDRESS, BROWSER, createPasskeyScene, SITE } from "@/lib/access/testing/passkey-scene";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import type { Logger } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

describe("attempts", () => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  const createTestAttempts = () => createAttempts(testDatabase.db, { now: () => nowMs });
  const limit = (name: string, maxAttempts = 2) => ({ name, maxAttempts, windowMs: 600_000 });

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
  });
  afterAll(() => testDatabase.cleanup());

  test("Each limit allows its attempts per window and returns when the next is possible", async () => {
    const attempts = createTestAttempts();
    const [a, b] = [limit("a"), limit("b")];
    const untilMs = nowMs + 600_000;
    expect(await attempts.take(a)).toMatchObject({ exhausted: null, last: [] });
    expect(await attempts.take(a)).toMatchObject({ exhausted: null, last: [a] });
    nowMs += 300_000;
    expect(await attempts.take(a)).toEqual({ exhausted: a, untilMs, last: [] });
    expect(await attempts.take(b)).toMatchObject({ exhausted: null });
    nowMs += 300_000;
    expect(await attempts.take(a)).toMatchObject({ exhausted: null });
  });

  test("Concurrent attempts cannot exceed a limit", async () => {
    const attempts = createTestAttempts();
    const taken = await Promise.all(Array.from({ length: 20 }, () => attempts.take(limit("crowd", 5))));
    expect(taken.filter(({ exhausted }) => exhausted === null)).toHaveLength(5);
    expect(taken.filter(({ last }) => last.length > 0)).toHaveLength(1);
  });

  test("The limits after an exhausted one are not counted", async () => {
    const attempts = createTestAttempts();
    const [outer, inner] = [limit("outer", 1), limit("inner", 1)];
    await attempts.take(outer);
    expect(await attempts.take(outer, inner)).toMatchObject({ exhausted: outer });
    expect(await attempts.take(inner)).toMatchObject({ exhausted: null });
  });

  test("An attempt can be undone, and a limit reset", async () => {
    const attempts = createTestAttempts();
    const c = limit("c", 1);
    for (let time = 0; time < 3; time++) {
      expect(await attempts.take(c)).toMatchObject({ exhausted: null });
      await attempts.giveBack(c);
    }
    await attempts.take(c);
    await attempts.forget(c);
    expect(await attempts.take(c)).toMatchObject({ exhausted: null });
  });

  test("Counts survive a restart, and old ones are deleted", async () => {
    await createTestAttempts().take(limit("d", 1));
    expect(await createTestAttempts().take(limit("d", 1))).toMatchObject({ exhausted: { name: "d" } });
    nowMs += 600_000;
    await createTestAttempts().take(limit("e"));
    const { rows } = await testDatabase.db.pool.query("SELECT name FROM attempt");
    expect(rows).toEqual([{ name: "e" }]);
  });
});

function open() {
  const lines: Record<string, unknown>[] = [];
  const clock = { nowMs: 0 };
  const log = { warn: (fields: object, msg: string) => lines.push({ ...fields, msg }) } as unknown as Logger;
  const refused = new RefusedSignIns({ log, now: () => clock.nowMs });
  return { lines, log, clock, refused };
}

test("The first refusal has a line at once, and those of the next minute one together", () => {
  const { lines, clock, refused } = open();
  const [a, b] = [randomUUID(), randomUUID()];
  for (const accountId of [a, a, b, null]) refused.report({ reason: "password", address: "203.0.113.7", accountId });
  refused.report({ reason: "locked_out", address: "203.0.113.7" });
  refused.report({ reason: "password", address: "203.0.113.8" });
  const line = { msg: "sign-in refused", reason: "password", address: "203.0.113.7" };
  expect(lines).toEqual([
    { ...line, accounts: [a], count: 1 },
    { ...line, reason: "locked_out", accounts: [], count: 1 },
    { ...line, address: "203.0.113.8", accounts: [], count: 1 },
  ]);
  clock.nowMs = 59_999;
  refused.flush();
  expect(lines).toHaveLength(3);
  clock.nowMs = 60_000;
  refused.flush();
  expect(lines.slice(3)).toEqual([{ ...line, accounts: [a, b], count: 3 }]);
  refused.report({ reason: "password", address: "203.0.113.7" });
  expect(lines).toHaveLength(5);
  refused.stop();
  expect(lines).toHaveLength(5);
});

test("Stopping writes the counts that are left", () => {
  const { lines, refused } = open();
  for (let count = 0; count < 5; count += 1)
    refused.report({ reason: "single_sign_on", address: null, detail: "domain" });
  refused.report({ reason: "single_sign_on", address: null, detail: "group" });
  refused.stop();
  expect(lines.map(({ count, detail }) => [count, detail])).toEqual([
    [1, "domain"],
    [1, "group"],
    [4, "domain"],
  ]);
});

test("Many addresses cannot fill the disk", () => {
  const { lines, clock, refused } = open();
  const report = (address: string) => refused.report({ reason: "password", address });
  for (let host = 0; host < 5_000; host += 1) {
    report(`10.0.${host >> 8}.${host & 255}`);
    // The addresses of one IPv6 network are one client's.
    report(`2001:db8::${host.toString(16)}`);
  }
  refused.stop();
  expect(lines.length).toBeLessThan(510);
  expect(lines.reduce((sum, { count }) => sum + Number(count), 0)).toBe(10_000);
  expect(clock.nowMs).toBe(0);
});

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await openTestDatabase();
});
afterAll(() => testDatabase.cleanup());

test("A wrong password, a lock-out and a wrong code are reported, without what was typed", async () => {
  const { db } = testDatabase;
  const reported: RefusedSignIn[] = [];
  const onRefused = (refused: RefusedSignIn) => void reported.push(refused);
  const parts = { now: Date.now, passwords: cheapPasswords };
  const { id } = await createAccounts(db, parts).create({ email: "ada@example.com", password: "correct horse" });
  const { authenticate } = createCredentials(db, { ...parts, onRefused });
  const address = "203.0.113.7";
  expect(await authenticate("ada@example.com", "correct horse", address)).not.toBeNull();
  expect(reported).toEqual([]);
  await authenticate("nobody@example.com", "guess", address);
  for (let attempt = 0; attempt < 6; attempt += 1) await authenticate("ada@example.com", "guess", address);
  expect(reported).toEqual([
    { reason: "password", address, accountId: null },
    ...Array<object>(5).fill({ reason: "password", address, accountId: id }),
    { reason: "locked_out", address },
  ]);
  reported.length = 0;
  await db.prisma.secondFactor.create({
    data: { accountId: id, sealedSecret: "not readable", confirmedAt: new Date(), startedAt: new Date() },
  });
  const { check } = createSecondFactors(db, { now: Date.now, secret: "s".repeat(32), onRefused });
  const by = { kind: "owner", accountId: id, address } as const;
  for (const code of ["abc", "aaaa-aaaa-aaaa-aaaa", "abc", "abc", "abc", "abc"]) {
    await expect(check(code, by)).rejects.toThrow();
  }
  expect(reported.map(({ reason }) => reason)).toEqual([
    "second_factor",
    "recovery_code",
    "second_factor",
    "second_factor",
    "second_factor",
    "locked_out",
  ]);
  expect(reported[0]).toEqual({ reason: "second_factor", address, accountId: id });
});

test("A refused passkey is reported with the address: one that is unknown, foreign, late or a copy, and a lock-out", async () => {
  const reported: RefusedSignIn[] = [];
  const scene = createPasskeyScene(testDatabase.db, (refused) => void reported.push(refused));
  await scene.becomeSomeone();
  const authenticator = await scene.add({ counter: 7 });
  expect(await scene.signIn(authenticator, { counter: 8 })).toBe(scene.accountId);
  expect(reported).toEqual([]);
  const stranger = createSoftwareAuthenticator(SITE);
  const refusals = [
    () => scene.signIn(stranger),
    () => scene.signIn(authenticator, { site: { host: "evil.example", origin: "https://evil.example" } }),
    () => scene.signIn(authenticator, { counter: 8 }),
    () => scene.passkeys.signIn({ site: SITE, ticket: "late", response: "{}", boundTo: BROWSER, address: ADDRESS }),
  ];
  for (const [index, refuse] of refusals.entries()) {
    await expect(refuse()).rejects.toMatchObject({ code: "passkey_refused" });
    expect(reported, `refusal ${index}`).toHaveLength(index + 1);
  }
  expect(reported).toEqual(Array<object>(4).fill({ reason: "passkey", address: ADDRESS }));
  for (let attempt = 4; attempt < 30; attempt += 1) await expect(scene.signIn(stranger)).rejects.toThrow();
  await expect(scene.signIn(authenticator, { counter: 9 })).rejects.toMatchObject({ code: "too_many_attempts" });
  expect(reported.at(-1)).toEqual({ reason: "locked_out", address: ADDRESS });
  await expect(scene.confirm(authenticator, { counter: 8 })).rejects.toMatchObject({ code: "passkey_refused" });
  expect(reported).toHaveLength(31);
});

test("The services write a refused passkey to the log", async () => {
  const { lines, log } = open();
  const options = { signUp: "open", maxKeyLifetimeDays: null, keyPaths: [], sessionSecret: "s".repeat(32) } as const;
  const directory = { refresh: async () => {}, revision: 0n };
  const { passkeys, refusedSignIns } = createAccess(testDatabase.db, { ...options, now: () => 0, directory, log });
  const use = { site: SITE, ticket: "late", response: "{}", boundTo: BROWSER, address: "198.51.100.9" };
  await expect(passkeys.signIn(use)).rejects.toMatchObject({ code: "passkey_refused" });
  refusedSignIns.stop();
  const line = { reason: "passkey", address: "198.51.100.9", accounts: [], count: 1, msg: "sign-in refused" };
  expect(lines).toEqual([line]);
});

describe("the limits of changes", () => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  let senders = 0;
  /** One server of several on the database. */
  const open = () => createChangeLimits(testDatabase.db, { now: () => nowMs });
  const member = (address: string | null = null) => ({ id: `member ${senders++}`, role: "member", address }) as const;
  const operator = () => ({ id: `operator ${senders++}`, role: "operator", address: null }) as const;

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
  });
  afterAll(() => testDatabase.cleanup());

  /** Sends forms until one is refused. Returns how many were not, and the message. */
  async function sendUntilRefused(sender: Parameters<ReturnType<typeof open>["count"]>[0]) {
    const servers = [open(), open()];
    for (let sent = 0; ; sent++) {
      const error = await servers[sent % 2]?.count(sender).catch((error: unknown) => error);
      if (error !== undefined) return { sent, error };
    }
  }

  async function setCount(name: string, used: number): Promise<void> {
    const { rowCount } = await testDatabase.db.pool.query("UPDATE attempt SET used = $2 WHERE name = $1", [name, used]);
    expect(rowCount).toBe(1);
  }

  const refusal = (message: string) => expect.objectContaining({ code: "too_many_changes", message }) as unknown;

  test("An account may send its forms of a minute, on all servers together, then waits", async () => {
    const sender = member();
    nowMs += MINUTE_MS;
    expect(await sendUntilRefused(sender)).toEqual({
      sent: 30,
      error: refusal(
        "Nothing was changed: your account has sent 30 forms within a minute, the most allowed. Send the form again in 60 seconds.",
      ),
    });
    nowMs += MINUTE_MS - 1_000;
    await expect(open().count(sender)).rejects.toThrow("Send the form again in 1 second.");
    await open().count(member());
    nowMs += 1_000;
    await open().count(sender);
  });

  test("An account may send its forms of an hour", async () => {
    const sender = member();
    await open().count(sender);
    await setCount(`change-hour:${sender.id}`, CHANGE_LIMITS.member.account.hour - 1);
    nowMs += 10 * MINUTE_MS;
    expect(await sendUntilRefused(sender)).toEqual({
      sent: 1,
      error: refusal(
        "Nothing was changed: your account has sent 300 forms within an hour, the most allowed. Send the form again in 50 minutes.",
      ),
    });
    nowMs += 50 * MINUTE_MS;
    await open().count(sender);
  });

  test("An operator may send more", async () => {
    const sender = operator();
    await open().count(sender);
    await setCount(`change-minute:${sender.id}`, CHANGE_LIMITS.operator.account.minute - 1);
    expect((await sendUntilRefused(sender)).sent).toBe(1);
  });

  test("All accounts of one network share a limit, but not with the operator or those of unknown networks", async () => {
    const address = "2001:db8::1";
    await open().count(member(address));
    await setCount("change-minute:member@2001:db8::/64", CHANGE_LIMITS.member.network.minute - 1);
    expect((await sendUntilRefused(member("2001:db8::2"))).sent).toBe(1);
    await expect(open().count(member(address))).rejects.toThrow(/your network has sent 300 forms within a minute/);
    await open().count(member("2001:db8:0:1::1"));
    await open().count({ ...operator(), address });
    await open().count(member(null));
  });
});

test("The documentation states the limits", () => {
  const text = readFileSync("docs/operating.md", "utf8").replaceAll("\n", " ");
  for (const { account, network } of Object.values(CHANGE_LIMITS)) {
    expect(text).toContain(`${account.minute} a minute and ${account.hour.toLocaleString("en")} an hour`);
    expect(text).toContain(`${network.minute} and ${network.hour.toLocaleString("en")} for all`);
  }
});
