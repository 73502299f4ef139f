import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Account, createAccounts } from "@/lib/access/accounts/accounts";
import { type AuditFilter, toMemberView } from "@/lib/access/audit/audit-filter";
import { type AuditLog, createAuditLog } from "@/lib/access/audit/audit-log";
import { type AuditEvent, CHAIN_START } from "@/lib/access/audit/record";
import { createKeys } from "@/lib/access/keys/keys";
import { cheapPasswords, someAccount } from "@/lib/access/testing/test-accounts";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 15, 12);

describe("filters of the audit log", () => {
  let audit: AuditLog;
  let operator: Account;
  let member: Account;
  let nowMs = noon;
  const now = () => nowMs;

  beforeAll(async () => {
    const { db } = testDatabase;
    audit = createAuditLog(db);
    [operator, member] = [await someAccount(db, "free", now), await someAccount(db, "free", now)];
    const owner = { kind: "owner", accountId: member.id, address: "192.0.2.7", confirmed: true } as const;
    const keys = createKeys(db, { now });
    const { id } = await keys.create({ accountId: member.id, label: "Desk 100%", scopes: ["all"] }, owner);
    nowMs = noon + DAY_MS;
    const boss = { kind: "operator", accountId: operator.id, address: "198.51.100.1", confirmed: true } as const;
    await keys.disable(id, boss);
    await createAccounts(db, { now, passwords: cheapPasswords }).setPlan(member.id, "pro");
  });

  const list = async (reader: Account, filter: AuditFilter) => {
    const accountId = reader.role === "operator" ? undefined : reader.id;
    return (await audit.list({ accountId, matching: { filter, reader }, limit: 100 })).map(({ event }) => event);
  };

  test("Events are found by kind, actor and days", async () => {
    expect(await list(member, {})).toEqual(["account.set_plan", "key.disable", "key.create", "account.create"]);
    expect(await list(member, { kind: "key" })).toEqual(["key.disable", "key.create"]);
    expect(await list(member, { by: "me" })).toEqual(["key.create"]);
    expect(await list(member, { by: "others" })).toEqual(["key.disable"]);
    expect(await list(member, { by: "cli" })).toEqual(expect.arrayContaining(["account.set_plan"]));
    const day = Date.UTC(2026, 0, 15);
    expect(await list(member, { kind: "key", fromMs: day, toMs: day })).toEqual(["key.create"]);
    expect(await list(member, { kind: "key", fromMs: day + DAY_MS })).toEqual(["key.disable"]);
  });

  test("A text is a part of an event, a label or an address, literally", async () => {
    expect(await list(member, { text: "SET_plan" })).toEqual(["account.set_plan"]);
    expect(await list(member, { text: "desk 100%" })).toEqual(["key.disable", "key.create"]);
    expect(await list(member, { text: "%" })).toEqual(["key.disable", "key.create"]);
    expect(await list(member, { text: "192.0.2" })).toEqual(["key.create"]);
    expect(await list(operator, { text: member.email.toUpperCase(), kind: "key" })).toEqual([
      "key.disable",
      "key.create",
    ]);
    expect(await list(operator, { text: member.id, by: "cli", kind: "account" })).toContain("account.set_plan");
  });

  test("A member cannot find out the address or the account of an operator", async () => {
    expect(await list(member, { text: "198.51.100" })).toEqual([]);
    expect(await list(member, { text: operator.email })).toEqual([]);
    expect(await list(member, { text: operator.id })).toEqual([]);
    expect(await list(operator, { text: "198.51.100" })).toEqual(["key.disable"]);
  });
});

const member = randomUUID();
const event: AuditEvent = {
  seq: 1,
  atMs: 0,
  event: "key.disable",
  actor: randomUUID(),
  accountId: member,
  keyId: null,
  address: "203.0.113.7",
  before: null,
  after: null,
  previousHash: CHAIN_START,
  hash: CHAIN_START,
  hashKey: null,
};

test("A member sees neither the account nor the address of an operator", () => {
  expect(toMemberView(event, member)).toMatchObject({ event: "key.disable", actor: "the operator", address: null });
});

test.each([member, "operator CLI", "somebody"])("A member sees all of an event by %s", (actor) => {
  expect(toMemberView({ ...event, actor }, member)).toEqual({ ...event, actor });
});
