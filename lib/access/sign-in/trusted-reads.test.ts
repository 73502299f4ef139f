import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { TrustedReads } from "@/lib/access/sign-in/trusted-reads";
import { someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { MINUTE_MS } from "@/lib/time/units";

let testDatabase: TestDatabase;
let nowMs = 0;
const directory = { revision: 1n };
let trusted: TrustedReads;
const open = ({ lateMs }: { lateMs: number }) =>
  new TrustedReads(testDatabase.db, { now: () => nowMs, directory, lateMs });
const away = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
const readTrusted = () => trusted.read("session", away);

beforeAll(async () => void (testDatabase = await openTestDatabase()));
afterAll(() => testDatabase.cleanup());
beforeEach(async () => {
  nowMs = Date.UTC(2026, 0, 15);
  directory.revision = 1n;
  trusted = open({ lateMs: MINUTE_MS });
  expect(await trusted.read("session", async () => "Ada")).toBe("Ada");
});

test("Without the database, what was read within two minutes answers, and nothing else", async () => {
  nowMs += 2 * MINUTE_MS;
  expect(await readTrusted()).toBe("Ada");
  await expect(trusted.read("another", away)).rejects.toThrow("ECONNREFUSED");
  nowMs += 1;
  await expect(readTrusted()).rejects.toThrow("ECONNREFUSED");
});

test("A clock that was set back ends what was read", async () => {
  nowMs -= 1;
  await expect(readTrusted()).rejects.toThrow("ECONNREFUSED");
});

test("A database that is late is waited for only where no answer is known", async () => {
  const impatient = open({ lateMs: 1 });
  await impatient.read("session", async () => "Ada");
  const late = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 60, "Bob"));
  expect(await impatient.read("session", late)).toBe("Ada");
  expect(await impatient.read("another", late)).toBe("Bob");
});

test("What the database says counts as soon as it answers, also that a session has ended", async () => {
  expect(await trusted.read("session", async () => null)).toBeNull();
  await expect(readTrusted()).rejects.toThrow("ECONNREFUSED");
});

test("A statement that is wrong is no outage", async () => {
  const wrong = () => Promise.reject(Object.assign(new Error("column is missing"), { code: "42703" }));
  await expect(trusted.read("session", wrong)).rejects.toThrow("column is missing");
});

test("A change that another process made ends what was read before it", async () => {
  directory.revision = 2n;
  await expect(readTrusted()).rejects.toThrow("ECONNREFUSED");
});

test("A session that this process revokes is not trusted any more, also when the revocation came during the read", async () => {
  const sessions = createAccountSessions(testDatabase.db, { now: () => nowMs });
  const { id: accountId } = await someAccount(testDatabase.db);
  const { id, token } = await sessions.start({ accountId, address: null, userAgent: null });
  const find = () => sessions.find(token, null);
  expect(await trusted.read(token, find)).toMatchObject({ id });
  expect(await trusted.read(token, away)).toMatchObject({ id });
  await trusted.read(token, async () => {
    const session = await find();
    await sessions.revoke(accountId, id, OPERATOR_CLI);
    return session;
  });
  await expect(trusted.read(token, away)).rejects.toThrow("ECONNREFUSED");
});
