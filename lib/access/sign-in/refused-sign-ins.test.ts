import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createAccess } from "@/lib/access/create-access";
import { type RefusedSignIn, RefusedSignIns } from "@/lib/access/sign-in/refused-sign-ins";
import { createSecondFactors } from "@/lib/access/sign-in/second-factor/second-factor";
import { ADDRESS, BROWSER, createPasskeyScene, SITE } from "@/lib/access/testing/passkey-scene";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import type { Logger } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

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
  testDatabase = await openTestDatabase("embedded");
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
  const options = { signUp: "open", maxKeyLifetimeDays: null, sessionSecret: "s".repeat(32) } as const;
  const directory = { refresh: async () => {} };
  const { passkeys, refusedSignIns } = createAccess(testDatabase.db, { ...options, now: () => 0, directory, log });
  const use = { site: SITE, ticket: "late", response: "{}", boundTo: BROWSER, address: "198.51.100.9" };
  await expect(passkeys.signIn(use)).rejects.toMatchObject({ code: "passkey_refused" });
  refusedSignIns.stop();
  const line = { reason: "passkey", address: "198.51.100.9", accounts: [], count: 1, msg: "sign-in refused" };
  expect(lines).toEqual([line]);
});
