import { Secret, TOTP } from "otpauth";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import {
  createSecondFactors,
  hashRecoveryCode,
  mintRecoveryCodes,
  resetSecondFactor,
} from "@/lib/access/sign-in/second-factor";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const SESSION_SECRET = "one session secret of more than 32 characters";

/** Creates an authenticator app for a secret, with the library's defaults. */
const createApp = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) });

describe("second factors", () => {
  let nowMs = Date.UTC(2026, 0, 15);
  let accountId: string;
  let owner: Owner;
  const now = () => nowMs;

  const factors = createSecondFactors(testDatabase.db, { now, secret: SESSION_SECRET });
  beforeEach(async () => {
    nowMs += 60 * MINUTE_MS;
    accountId = (await someAccount(testDatabase.db)).id;
    owner = { kind: "owner", accountId, address: "203.0.113.7", confirmed: true };
  });

  /** Enrols the account. Returns its app and its recovery codes. The code that confirmed the enrolment is used. */
  async function enrol() {
    await factors.begin(owner);
    const secret = (await factors.enrolment(accountId, "a@example.com"))?.secret ?? "";
    const app = createApp(secret);
    const codeAt = (atMs: number) => app.generate({ timestamp: atMs });
    const recoveryCodes = await factors.confirm(codeAt(nowMs), owner);
    nowMs += 2 * MINUTE_MS;
    return { secret, codeAt, recoveryCodes };
  }

  const listEvents = async (id: string) =>
    (await createAuditLog(testDatabase.db).list({ accountId: id, limit: 100 })).map(({ event }) => event).reverse();

  test("Signing in requires no code until a right code has confirmed the enrolment", async () => {
    expect(await factors.state(accountId)).toBeNull();
    await factors.begin(owner);
    expect(await factors.state(accountId)).toBeNull();
    const enrolment = await factors.enrolment(accountId, "a@example.com");
    const uri = new URL(enrolment?.uri ?? "");
    expect(uri.href).toContain("otpauth://totp/Spotline:a%40example.com?issuer=Spotline");
    expect(uri.searchParams.get("secret")).toBe(enrolment?.secret);
    const app = createApp(enrolment?.secret ?? "");
    const wrong = app.generate({ timestamp: nowMs + 10 * MINUTE_MS });
    await expect(factors.confirm(wrong, owner)).rejects.toMatchObject({ code: "wrong_code" });
    await expect(factors.check(app.generate({ timestamp: nowMs }), owner)).rejects.toMatchObject({
      code: "second_factor_state",
    });
    const codes = await factors.confirm(` ${app.generate({ timestamp: nowMs }).replace(/(...)/, "$1 ")}`, owner);
    expect(codes).toHaveLength(10);
    expect(await factors.state(accountId)).toEqual({ sinceMs: nowMs, recoveryCodesLeft: 10, isReadable: true });
    expect(await factors.enrolment(accountId, "a@example.com")).toBeNull();
  });

  test("A code is accepted once, even by two processes at the same time", async () => {
    const { codeAt } = await enrol();
    const another = createSecondFactors(testDatabase.db, { now, secret: SESSION_SECRET });
    const checks = [factors, another, factors, another].map((one) => one.check(codeAt(nowMs), owner));
    const results = await Promise.allSettled(checks);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(another.check(codeAt(nowMs), owner)).rejects.toMatchObject({ code: "wrong_code" });
  });

  test("Neither the confirming code nor an older one is accepted later", async () => {
    await factors.begin(owner);
    const app = createApp((await factors.enrolment(accountId, ""))?.secret ?? "");
    const first = app.generate({ timestamp: nowMs });
    await factors.confirm(first, owner);
    await expect(factors.check(first, owner)).rejects.toMatchObject({ code: "wrong_code" });
    nowMs += 5 * MINUTE_MS;
    await factors.check(app.generate({ timestamp: nowMs + 30_000 }), owner);
    await expect(factors.check(app.generate({ timestamp: nowMs }), owner)).rejects.toMatchObject({
      code: "wrong_code",
    });
  });

  test("Clocks may differ by thirty seconds at most", async () => {
    const { codeAt } = await enrol();
    for (const [offMs, isRight] of [
      [-60_000, false],
      [60_000, false],
      [-30_000, true],
      [0, true],
      [30_000, true],
    ] as const) {
      const checking = factors.check(codeAt(nowMs + offMs), owner);
      if (isRight) await expect(checking, String(offMs)).resolves.toBeUndefined();
      else await expect(checking, String(offMs)).rejects.toMatchObject({ code: "wrong_code" });
    }
  });

  test("Each recovery code is accepted once, and none is stored", async () => {
    const { recoveryCodes } = await enrol();
    const [first = "", second = ""] = recoveryCodes;
    await factors.check(first.toUpperCase().replaceAll("-", " "), owner);
    await expect(factors.check(first, owner)).rejects.toMatchObject({ code: "wrong_code" });
    const results = await Promise.allSettled([1, 2, 3].map(() => factors.check(second, owner)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await factors.state(accountId)).toMatchObject({ recoveryCodesLeft: 8 });
    const rows = await testDatabase.db.prisma.recoveryCode.findMany({ where: { accountId } });
    const stored = JSON.stringify(rows);
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll("-", ""));
  });

  test("Another account's codes are refused", async () => {
    const { codeAt, recoveryCodes } = await enrol();
    const theirs = { ...owner };
    accountId = (await someAccount(testDatabase.db)).id;
    owner = { ...owner, accountId };
    const { secret } = await enrol();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await expect(factors.check(codeAt(nowMs), owner)).rejects.toMatchObject({ code: "wrong_code" });
    await expect(factors.check(recoveryCodes[0] ?? "", owner)).rejects.toMatchObject({ code: "wrong_code" });
    // They are also refused after the row was copied to the other account.
    const copied = await testDatabase.db.prisma.secondFactor.findUniqueOrThrow({
      where: { accountId: theirs.accountId },
    });
    const { sealedSecret } = copied;
    await testDatabase.db.prisma.secondFactor.update({ where: { accountId }, data: { sealedSecret } });
    await expect(factors.check(codeAt(nowMs), owner)).rejects.toMatchObject({ code: "second_factor_state" });
  });

  test("The wait grows after every five wrong codes in a row, in every process", async () => {
    const { codeAt } = await enrol();
    const another = createSecondFactors(testDatabase.db, { now, secret: SESSION_SECRET });
    const guesses = Array.from({ length: 20 }, (_, i) => (i % 2 ? factors : another).check("nonsense", owner));
    const codes = (await Promise.allSettled(guesses)).map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "right",
    );
    expect(codes.filter((code) => code === "wrong_code")).toHaveLength(5);
    expect(codes.filter((code) => code === "too_many_attempts")).toHaveLength(15);
    await expect(another.check(codeAt(nowMs), owner)).rejects.toThrow("Try again in 15 minutes.");
    for (const waitMinutes of [15, 30, 60, 120, 240, 480, 960, 1440, 1440]) {
      nowMs += waitMinutes * MINUTE_MS - 1;
      await expect(factors.check("000", owner)).rejects.toMatchObject({ code: "too_many_attempts" });
      nowMs += 1;
      for (let i = 0; i < 5; i++) await expect(factors.check("x", owner)).rejects.toMatchObject({ code: "wrong_code" });
    }
    nowMs += 1440 * MINUTE_MS;
    await factors.check(codeAt(nowMs), owner);
    for (let i = 0; i < 4; i++) await expect(factors.check("x", owner)).rejects.toMatchObject({ code: "wrong_code" });
    nowMs += MINUTE_MS;
    await factors.check(codeAt(nowMs), owner);
    expect((await listEvents(accountId)).filter((event) => event === "account.block_second_factor")).toHaveLength(10);
  });

  test("A recovery code is accepted while codes are blocked, and ends the block", async () => {
    const { codeAt, recoveryCodes } = await enrol();
    for (let i = 0; i < 5; i++) await expect(factors.check("x", owner)).rejects.toMatchObject({ code: "wrong_code" });
    const blocked = { code: "too_many_attempts" };
    await expect(factors.check(codeAt(nowMs), owner)).rejects.toMatchObject(blocked);
    await expect(factors.check("8k2m-x0vd-9hq4-tz7c", owner)).rejects.toMatchObject(blocked);
    await factors.check(recoveryCodes[0] ?? "", owner);
    await factors.check(codeAt(nowMs), owner);
  });

  test("Enrolling needs the password; renewing and disabling need the password and a code", async () => {
    const unconfirmed = { ...owner, confirmed: false };
    await expect(factors.begin(unconfirmed)).rejects.toMatchObject({ code: "confirmation_required" });
    const { codeAt, recoveryCodes } = await enrol();
    await expect(factors.begin(owner)).rejects.toMatchObject({ code: "second_factor_state" });
    for (const act of [factors.disable, factors.renewRecoveryCodes]) {
      await expect(act(codeAt(nowMs), unconfirmed)).rejects.toMatchObject({ code: "confirmation_required" });
      await expect(act("000000", owner)).rejects.toMatchObject({ code: "wrong_code" });
    }
    const renewed = await factors.renewRecoveryCodes(codeAt(nowMs), owner);
    await expect(factors.check(recoveryCodes[3] ?? "", owner)).rejects.toMatchObject({ code: "wrong_code" });
    await factors.check(renewed[3] ?? "", owner);
    await factors.disable(renewed[4] ?? "", owner);
    expect(await factors.state(accountId)).toBeNull();
    expect(await testDatabase.db.prisma.recoveryCode.count({ where: { accountId } })).toBe(0);
    expect(await listEvents(accountId)).toEqual([
      "account.create",
      "account.enable_second_factor",
      "account.renew_recovery_codes",
      "account.use_recovery_code",
      "account.use_recovery_code",
      "account.disable_second_factor",
    ]);
  });

  test("An enrolment that is not confirmed ends after 15 minutes", async () => {
    await factors.begin(owner);
    const app = createApp((await factors.enrolment(accountId, ""))?.secret ?? "");
    nowMs += 15 * MINUTE_MS;
    expect(await factors.enrolment(accountId, "")).toBeNull();
    await expect(factors.confirm(app.generate({ timestamp: nowMs }), owner)).rejects.toMatchObject({
      code: "second_factor_state",
    });
  });

  test("Under another session secret only recovery codes are accepted", async () => {
    const { codeAt, recoveryCodes } = await enrol();
    const later = createSecondFactors(testDatabase.db, { now, secret: `${SESSION_SECRET}, changed` });
    expect(await later.state(accountId)).toMatchObject({ isReadable: false, recoveryCodesLeft: 10 });
    await expect(later.check(codeAt(nowMs), owner)).rejects.toThrow("Use a recovery code.");
    await later.check(recoveryCodes[0] ?? "", owner);
    await later.disable(recoveryCodes[1] ?? "", owner);
    expect(await later.state(accountId)).toBeNull();
  });

  test("The database holds no readable secret", async () => {
    const { secret } = await enrol();
    const row = await testDatabase.db.prisma.secondFactor.findUniqueOrThrow({ where: { accountId } });
    expect(row.sealedSecret).not.toContain(secret);
    expect(Buffer.from(row.sealedSecret, "base64url").toString("latin1")).not.toContain(secret);
  });

  test("The operator resets a second factor, and closing the account deletes it", async () => {
    await enrol();
    await resetSecondFactor(testDatabase.db, accountId, nowMs);
    expect(await factors.state(accountId)).toBeNull();
    await expect(resetSecondFactor(testDatabase.db, accountId, nowMs)).rejects.toMatchObject({
      code: "second_factor_state",
    });
    expect((await listEvents(accountId)).at(-1)).toBe("account.reset_second_factor");
    await enrol();
    await testDatabase.db.prisma.account.delete({ where: { id: accountId } });
    expect(await testDatabase.db.prisma.secondFactor.count({ where: { accountId } })).toBe(0);
  });
});

test("Ten different recovery codes are created, in readable groups", () => {
  const codes = mintRecoveryCodes();
  expect(new Set(codes.map(({ code }) => code)).size).toBe(10);
  for (const { code, codeHash } of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    expect(hashRecoveryCode(code)).toBe(codeHash);
  }
});

test("A recovery code is recognised however it is typed", () => {
  const hash = hashRecoveryCode("10ab-cdef-gh10-0000");
  expect(hash).toMatch(/^[\da-f]{64}$/);
  for (const typed of ["10abcdefgh100000", " 10AB CDEF GH10 0000\n", "lOab-cdef-ghio-0o0O"]) {
    expect(hashRecoveryCode(typed)).toBe(hash);
  }
  expect(hashRecoveryCode("10ab-cdef-gh10-0001")).not.toBe(hash);
});

test.each(["", "123456", "10ab-cdef-gh10-000", "10ab-cdef-gh10-00000", "10ab-cdef-gh10-000ü", "u".repeat(16)])(
  "takes %j for no code at all",
  (typed) => expect(hashRecoveryCode(typed)).toBeNull(),
);
