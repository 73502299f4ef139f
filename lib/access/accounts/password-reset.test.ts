import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createPasswordReset, RESET_MINUTES } from "@/lib/access/accounts/password-reset";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const NEW_PASSWORD = "entirely different words";
const ADDRESS = "198.51.100.7";

describe("a password reset", () => {
  let nowMs = Date.UTC(2026, 0, 15);
  const now = () => nowMs;
  let mails: { to: string; text: string }[] = [];
  const mailer = {
    send: (mail: { to: string; text: string }) => {
      mails.push(mail);
      return Promise.resolve();
    },
  };
  const parts = { mailer, publicUrl: "https://prices.example.com" };
  let reset: ReturnType<typeof createPasswordReset>;
  let credentials: ReturnType<typeof createCredentials>;
  let account: { id: string; email: string };
  let network = 0;

  beforeAll(async () => {
    credentials = createCredentials(testDatabase.db, { now, passwords: cheapPasswords });
    const { setPassword } = credentials;
    reset = createPasswordReset(testDatabase.db, { now, secret: "s".repeat(32), setPassword, log: silentLog });
  });
  beforeEach(async () => {
    mails = [];
    nowMs += HOUR_MS;
    account = await someAccount(testDatabase.db);
  });

  const newAddress = () => `198.51.100.${++network % 250}`;
  async function requestLink(): Promise<string> {
    expect(await reset.request(` ${account.email.toUpperCase()}`, newAddress(), parts)).toBe(true);
    const { to, text } = mails.at(-1) as (typeof mails)[number];
    expect(to).toBe(account.email);
    return /https:\/\/prices\.example\.com\/sign-in\/reset\?token=([\w-]+)\n/.exec(text)?.[1] ?? "";
  }

  test("sets the password once, ends every session, and is in the audit log", async () => {
    const sessions = createAccountSessions(testDatabase.db, { now });
    await sessions.start({ accountId: account.id, address: null, userAgent: null });
    const token = await requestLink();
    expect(await reset.find(token)).toEqual({ id: account.id, email: account.email });
    await reset.complete(token, NEW_PASSWORD, ADDRESS);
    expect((await credentials.authenticate(account.email, NEW_PASSWORD, newAddress()))?.id).toBe(account.id);
    expect(await sessions.list(account.id)).toEqual([]);
    const events = await testDatabase.db.prisma.auditEvent.findMany({ where: { accountId: account.id } });
    expect(events.at(-1)).toMatchObject({ event: "account.set_password", address: "198.51.100.7" });
    expect(await reset.find(token)).toBeNull();
    await expect(reset.complete(token, "some other words again", ADDRESS)).rejects.toMatchObject({
      code: "reset_not_valid",
    });
  });

  test("refuses a weak password, and the link still works", async () => {
    const token = await requestLink();
    await expect(reset.complete(token, "short", ADDRESS)).rejects.toMatchObject({ code: "invalid_password" });
    expect(await reset.find(token)).not.toBeNull();
  });

  test("is not valid after half an hour, after another change of the password, or with a changed link", async () => {
    const late = await requestLink();
    nowMs += RESET_MINUTES * MINUTE_MS;
    expect(await reset.find(late)).toBeNull();
    const token = await requestLink();
    expect(await reset.find(`${token.slice(0, -2)}AA`)).toBeNull();
    expect(await reset.find("")).toBeNull();
    await credentials.setPassword(account.id, NEW_PASSWORD);
    expect(await reset.find(token)).toBeNull();
  });

  test("mails nothing without an account, and answers as with one", async () => {
    expect(await reset.request("nobody@example.com", newAddress(), parts)).toBe(true);
    expect(mails).toEqual([]);
  });

  test("mails at most three links an hour to one address from one network, and ten from all", async () => {
    const address = newAddress();
    for (let time = 0; time < 3; time++) expect(await reset.request(account.email, address, parts)).toBe(true);
    expect(await reset.request(account.email, address, parts)).toBe(false);
    const fromElsewhere: boolean[] = [];
    for (let time = 0; time < 10; time++) {
      fromElsewhere.push(await reset.request(account.email, `203.0.113.${time}`, parts));
    }
    expect(fromElsewhere.filter(Boolean)).toHaveLength(7);
    expect(mails).toHaveLength(10);
    nowMs += HOUR_MS;
    expect(await reset.request(account.email, address, parts)).toBe(true);
  });
});
