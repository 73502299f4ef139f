import { expect, test } from "vitest";
import { createTickets } from "@/lib/access/sign-in/tickets";

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
