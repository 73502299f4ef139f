import { afterAll, describe, expect, test } from "vitest";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { NO_LIMIT } from "@/lib/access/plans";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const PASSWORD = "correct horse battery";

describe("accounts", () => {
  let nowMs = Date.UTC(2026, 0, 15);
  let refreshes = 0;
  const directory = { refresh: async () => void (refreshes += 1) };

  const accounts = createAccounts(testDatabase.db, { now: () => nowMs, directory, passwords: cheapPasswords });
  const credentials = createCredentials(testDatabase.db, { now: () => nowMs, directory, passwords: cheapPasswords });
  const accountStatus = createAccountStatus(testDatabase.db, { now: () => nowMs, directory });

  test("Exactly one of twenty simultaneous first accounts becomes the operator", async () => {
    const emails = Array.from({ length: 20 }, (_, i) => `first-${i}@example.com`);
    const created = await Promise.all(emails.map((email) => accounts.create({ email, password: PASSWORD })));
    expect(created.filter(({ role }) => role === "operator")).toHaveLength(1);
    expect(await accounts.count()).toBe(20);
    const revisions = await testDatabase.db.prisma.account.findMany({ select: { revision: true } });
    expect(new Set(revisions.map(({ revision }) => revision)).size).toBe(20);
  });

  test("A later account is a member on the free plan", async () => {
    const account = await accounts.create({ email: " Member@Example.com ", password: PASSWORD });
    expect(account).toMatchObject({ email: "member@example.com", role: "member", plan: "free", trialEndsAtMs: null });
    expect(account).toMatchObject({ perMinuteLimit: null, perDayLimit: null, suspendedAtMs: null });
    expect(await accounts.find(account.id)).toEqual(account);
    expect(await accounts.findByEmail("MEMBER@example.com")).toEqual(account);
    expect((await accounts.list()).at(-1)).toEqual(account);
  });

  test("Simultaneous sign-ups with one address create one account", async () => {
    const spellings = ["twin@example.com", "TWIN@example.com", "Twin@Example.com"];
    const results = await Promise.allSettled(spellings.map((email) => accounts.create({ email, password: PASSWORD })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "email_taken" });
    }
  });

  test("An invalid account is refused before it is created", async () => {
    const before = await accounts.count();
    const create = (email: string, given: string) => accounts.create({ email, password: given });
    await expect(create("nobody", PASSWORD)).rejects.toMatchObject({ code: "invalid_email" });
    await expect(create("short@example.com", "123456789")).rejects.toMatchObject({ code: "invalid_password" });
    await expect(create("long@example.com", "x".repeat(201))).rejects.toMatchObject({ code: "invalid_password" });
    await expect(create("same@example.com", "same@EXAMPLE.com")).rejects.toMatchObject({ code: "invalid_password" });
    expect(await accounts.count()).toBe(before);
  });

  test("Only the right password signs in", async () => {
    const { id } = await accounts.create({ email: "door@example.com", password: PASSWORD });
    expect(await credentials.authenticate(" Door@Example.com", PASSWORD)).toMatchObject({ id });
    expect(await credentials.authenticate("door@example.com", `${PASSWORD}!`)).toBeNull();
    expect(await credentials.authenticate("stranger@example.com", PASSWORD)).toBeNull();
    expect(await credentials.authenticate("", "")).toBeNull();
  });

  test("A text that is not an id finds nothing", async () => {
    expect(await accounts.find("1")).toBeNull();
    expect(await accounts.find("' OR 1=1")).toBeNull();
    await expect(accounts.setPlan("1", "pro")).rejects.toMatchObject({ code: "account_not_found" });
    const unknownId = "00000000-0000-7000-8000-000000000000";
    await expect(accounts.setPlan(unknownId, "pro")).rejects.toMatchObject({ code: "account_not_found" });
  });

  test("A trial ends after fourteen days", async () => {
    const { id } = await accounts.create({ email: "trial@example.com", password: PASSWORD, plan: "trial" });
    expect(await accounts.find(id)).toMatchObject({ plan: "trial", trialEndsAtMs: nowMs + 14 * DAY_MS });
    nowMs += 14 * DAY_MS;
    expect(await accounts.find(id)).toMatchObject({ plan: "free", trialEndsAtMs: null });
    expect(await accounts.setPlan(id, "trial")).toMatchObject({ plan: "trial", trialEndsAtMs: nowMs + 14 * DAY_MS });
    expect(await accounts.setPlan(id, "pro")).toMatchObject({ plan: "pro", trialEndsAtMs: null });
  });

  test("Limits are set, left unchanged and removed", async () => {
    const { id } = await accounts.create({ email: "limits@example.com", password: PASSWORD });
    expect(await accounts.setLimits(id, { perMinute: 5 })).toMatchObject({ perMinuteLimit: 5, perDayLimit: null });
    expect(await accounts.setLimits(id, { perDay: NO_LIMIT })).toMatchObject({
      perMinuteLimit: 5,
      perDayLimit: NO_LIMIT,
    });
    expect(await accounts.setLimits(id, { perMinute: null })).toMatchObject({ perMinuteLimit: null });
    for (const limit of [0, -1, 1.5, NaN, Infinity, NO_LIMIT + 1]) {
      await expect(accounts.setLimits(id, { perDay: limit })).rejects.toMatchObject({ code: "invalid_limit" });
    }
  });

  test("The prepaid balance is a whole number", async () => {
    const { id, prepaidCredits } = await accounts.create({ email: "prepaid@example.com", password: PASSWORD });
    expect(prepaidCredits).toBe(0);
    expect(await accounts.setPrepaidCredits(id, 50_000)).toMatchObject({ prepaidCredits: 50_000 });
    expect(await accounts.setPrepaidCredits(id, 0)).toMatchObject({ prepaidCredits: 0 });
    for (const credits of [-1, 1.5, NaN, Infinity, 1_000_000_001]) {
      await expect(accounts.setPrepaidCredits(id, credits)).rejects.toMatchObject({ code: "invalid_credits" });
    }
    const event = await testDatabase.db.prisma.auditEvent.findFirst({
      where: { accountId: id },
      orderBy: { seq: "desc" },
    });
    expect(event).toMatchObject({
      event: "account.set_credits",
      before: { prepaid_credits: 50_000 },
      after: { prepaid_credits: 0 },
    });
  });

  test("A new password must be valid", async () => {
    const email = "forgetful@example.com";
    const { id } = await accounts.create({ email, password: PASSWORD });
    await expect(credentials.setPassword(id, "short")).rejects.toMatchObject({ code: "invalid_password" });
    await expect(credentials.setPassword(id, email)).rejects.toMatchObject({ code: "invalid_password" });
    await credentials.setPassword(id, "another horse battery");
    expect(await credentials.authenticate(email, PASSWORD)).toBeNull();
    expect(await credentials.authenticate(email, "another horse battery")).toMatchObject({ id });
  });

  test("An account is suspended and resumed", async () => {
    const { id } = await accounts.create({ email: "suspended@example.com", password: PASSWORD });
    expect(await accountStatus.setSuspended(id, true)).toMatchObject({ suspendedAtMs: nowMs });
    expect(await credentials.authenticate("suspended@example.com", PASSWORD)).toMatchObject({ suspendedAtMs: nowMs });
    expect(await accountStatus.setSuspended(id, false)).toMatchObject({ suspendedAtMs: null });
  });

  test("Every change refreshes the directory before it is acknowledged", async () => {
    refreshes = 0;
    const { id } = await accounts.create({ email: "refreshed@example.com", password: PASSWORD });
    await accounts.setPlan(id, "pro");
    await accounts.setLimits(id, { perMinute: 1 });
    await accountStatus.setSuspended(id, true);
    expect(refreshes).toBe(4);
  });
});
