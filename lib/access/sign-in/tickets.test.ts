import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createFormTickets,
  createOperatorTickets,
  createSeal,
  createTickets,
  loadSessionSecret,
  TICKET_LIFE_MS,
} from "@/lib/access/sign-in/tickets";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const SECRET = "a session secret of at least 32 characters";
let nowMs = 1_000;
const settings = { secret: SECRET, purpose: "test", now: () => nowMs, lifeMs: 60_000 };
const tickets = createTickets<{ accountId: string }>(settings);

test("A ticket is valid for its time, purpose and secret only", () => {
  const ticket = tickets.issue({ accountId: "a" });
  expect(ticket).not.toContain("accountId");
  nowMs += 59_999;
  expect(tickets.read(ticket)).toEqual({ accountId: "a" });
  expect(createTickets({ ...settings, purpose: "another" }).read(ticket)).toBeNull();
  expect(createTickets({ ...settings, secret: `${SECRET}!` }).read(ticket)).toBeNull();
  nowMs += 1;
  expect(tickets.read(ticket)).toBeNull();
});

test.each(["", "x", Buffer.from('{"content":{}}').toString("base64url")])("%j is not a ticket", (text) =>
  expect(tickets.read(text)).toBeNull(),
);

describe("form tickets", () => {
  let nowMs = Date.UTC(2026, 0, 15);
  let done = 0;
  const work = async () => (done += 1);
  const createTicketsWith = (secret: string) => createFormTickets(testDatabase.db, { now: () => nowMs, secret });
  const refused = { code: "form_used" };

  test("Each action runs once, however often and fast the form is sent", async () => {
    const tickets = createTicketsWith("s");
    const sessionId = randomUUID();
    const ticket = tickets.issue(sessionId);
    done = 0;
    const sent = await Promise.allSettled(
      Array.from({ length: 8 }, () => tickets.once({ ticket, sessionId, act: "create key" }, work)),
    );
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of sent) if (result.status === "rejected") expect(result.reason).toMatchObject(refused);
    await tickets.once({ ticket, sessionId, act: "revoke a" }, work);
    await tickets.once({ ticket, sessionId, act: "revoke b" }, work);
    await expect(tickets.once({ ticket, sessionId, act: "revoke a" }, work)).rejects.toMatchObject(refused);
    expect(done).toBe(3);
  });

  test("A form can be sent again after a failure", async () => {
    const tickets = createTicketsWith("s");
    const sessionId = randomUUID();
    const form = { ticket: tickets.issue(sessionId), sessionId, act: "create key" };
    await expect(tickets.once(form, () => Promise.reject(new Error("no label")))).rejects.toThrow("no label");
    expect(await tickets.once(form, async () => "done")).toBe("done");
  });

  test("A form that names a strange or long record is stored in few bytes, and not at all if it is refused", async () => {
    const tickets = createTicketsWith("s");
    const sessionId = randomUUID();
    const ticket = tickets.issue(sessionId);
    const strange = ["revoke \0", `revoke ${"x".repeat(100_000)}`];
    for (const act of strange) {
      await expect(tickets.once({ ticket, sessionId, act }, () => Promise.reject(new Error("none")))).rejects.toThrow();
    }
    const listNames = async () =>
      (await testDatabase.db.prisma.attempt.findMany({ where: { name: { startsWith: "form:" } } })).map(
        ({ name }) => name,
      );
    const before = await listNames();
    for (const act of strange) await tickets.once({ ticket, sessionId, act }, work);
    for (const act of strange) {
      await expect(tickets.once({ ticket, sessionId, act }, work)).rejects.toMatchObject(refused);
    }
    const after = await listNames();
    expect(after).toHaveLength(before.length + strange.length);
    for (const name of after) expect(name.length).toBeLessThan(80);
  });

  test("A form ticket is refused in another session, under another secret, altered or expired", async () => {
    const tickets = createTicketsWith("s");
    const sessionId = randomUUID();
    const ticket = tickets.issue(sessionId);
    const middle = Math.floor(ticket.length / 2);
    const altered = ticket.slice(0, middle) + (ticket[middle] === "A" ? "B" : "A") + ticket.slice(middle + 1);
    const others = [tickets.issue(randomUUID()), createTicketsWith("another").issue(sessionId)];
    const forged = ["", undefined, {}, "a.b.c", sessionId, ticket.slice(0, -1), altered, ...others];
    done = 0;
    for (const each of forged)
      await expect(tickets.once({ ticket: each, sessionId, act: "a" }, work)).rejects.toMatchObject(refused);
    nowMs += TICKET_LIFE_MS;
    await expect(tickets.once({ ticket, sessionId, act: "a" }, work)).rejects.toMatchObject(refused);
    expect(done).toBe(0);
  });
});

test("An operator ticket is valid for one minute, under the installation's secret only", () => {
  let nowMs = 0;
  const now = () => nowMs;
  const server = createOperatorTickets("the secret", now);
  const ticket = createOperatorTickets("the secret", now).issue();
  expect(server.admits(ticket)).toBe(true);
  expect(server.admits(createOperatorTickets("another secret", now).issue())).toBe(false);
  const otherPurpose = createTickets<object>({ secret: "the secret", purpose: "link", now, lifeMs: 60_000 });
  expect(server.admits(`Bearer ${otherPurpose.issue({})}`)).toBe(false);
  for (const forged of [null, "", "Bearer ", "Bearer x", ticket.slice(7), ticket.slice(0, -1)]) {
    expect(server.admits(forged), String(forged)).toBe(false);
  }
  nowMs = 60_000;
  expect(server.admits(ticket)).toBe(false);
});

describe("the session secret", () => {
  let testDatabase: Awaited<ReturnType<typeof openTestDatabase>>;
  beforeAll(async () => {
    testDatabase = await openTestDatabase();
  });
  afterAll(() => testDatabase.cleanup());

  test("The session secret is created once, and is the same for all processes", async () => {
    const secrets = await Promise.all(Array.from({ length: 5 }, () => loadSessionSecret(testDatabase.db)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]?.length).toBeGreaterThanOrEqual(64);
    expect(await loadSessionSecret(testDatabase.db)).toBe(secrets[0]);
  });
});

const { seal, open } = createSeal(SECRET, "test");

test("A seal opens its texts, and seals the same text differently each time", () => {
  expect(open(seal("JBSWY3DPEHPK3PXP", "alice"), "alice")).toBe("JBSWY3DPEHPK3PXP");
  expect(open(seal(""))).toBe("");
  expect(seal("text")).not.toBe(seal("text"));
  expect(seal("JBSWY3DPEHPK3PXP")).not.toContain("JBSWY3");
});

test("A text of another owner, purpose or secret does not open", () => {
  const sealed = seal("text", "alice");
  expect(open(sealed, "bob")).toBeNull();
  expect(open(sealed)).toBeNull();
  expect(createSeal(SECRET, "another").open(sealed, "alice")).toBeNull();
  expect(createSeal(`${SECRET}!`, "test").open(sealed, "alice")).toBeNull();
  expect(createSeal(SECRET, "test").open(sealed, "alice")).toBe("text");
});

test("An altered or shortened text does not open", () => {
  const bytes = Buffer.from(seal("text"), "base64url");
  for (let i = 0; i < bytes.length; i++) {
    const altered = Buffer.from(bytes);
    altered[i] = (altered[i] ?? 0) ^ 1;
    expect(open(altered.toString("base64url"))).toBeNull();
    expect(open(bytes.subarray(0, i).toString("base64url"))).toBeNull();
  }
});
