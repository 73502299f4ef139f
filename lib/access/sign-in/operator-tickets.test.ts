import { expect, test } from "vitest";
import { createOperatorTickets } from "@/lib/access/sign-in/operator-tickets";
import { createTickets } from "@/lib/access/sign-in/tickets";

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
