import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type AuditEvent, CHAIN_START } from "@/lib/access/audit-event";
import { toMemberView } from "@/lib/access/audit/member-view";

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
