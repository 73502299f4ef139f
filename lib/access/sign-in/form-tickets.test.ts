import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFormTickets, TICKET_LIFE_MS } from "@/lib/access/sign-in/form-tickets";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

describe.each(databaseKinds)("form tickets in %s", (kind) => {
  let testDatabase: TestDatabase;
  let nowMs = Date.UTC(2026, 0, 15);
  let done = 0;
  const work = async () => (done += 1);
  const createTicketsWith = (secret: string) => createFormTickets(testDatabase.db, { now: () => nowMs, secret });
  const refused = { code: "form_used" };

  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
  });
  afterAll(() => testDatabase.cleanup());

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
