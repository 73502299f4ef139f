import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { DAY_MS } from "@/lib/time/units";

/**
 * Tickets for forms that change something. A page carries one, written for the session it is shown in; each thing that
 * can be done from the page can be done with it once. So the same submission does nothing a second time, whoever sends
 * it again, and one that was recorded in another session, or in one that has ended, does nothing at all.
 */

export const TICKET_LIFE_MS = DAY_MS;

export function createFormTickets(database: Database, { now, secret }: { now: Clock; secret: string }) {
  const attempts = createAttempts(database, { now });
  const tickets = createTickets<{ id: string; sessionId: string }>({
    secret,
    purpose: "form",
    now,
    lifeMs: TICKET_LIFE_MS,
  });

  return {
    /** A ticket for a page that is shown in this session. */
    issue(sessionId: string): string {
      return tickets.issue({ id: randomUUID(), sessionId });
    },

    /**
     * Does `work` unless `act`, such as "revoke 0199…", was done with this ticket before; where `work` rejects, it was
     * not done. Rejects with the AccessError "form_used" for a second time and for what is no ticket of this session.
     */
    async once<Result>(
      { ticket, sessionId, act }: { ticket: unknown; sessionId: string; act: string },
      work: () => Promise<Result>,
    ): Promise<Result> {
      const written = typeof ticket === "string" ? tickets.read(ticket) : null;
      if (written?.sessionId !== sessionId)
        throw new AccessError("form_used", "This form is out of date. Load the page again.");
      const use = { name: `form:${written.id}:${act}`, most: 1, windowMs: TICKET_LIFE_MS };
      if ((await attempts.take(use)).exhausted !== null) {
        throw new AccessError("form_used", "This form was sent already. Load the page again to see what came of it.");
      }
      try {
        return await work();
      } catch (error) {
        await attempts.giveBack(use);
        throw error;
      }
    },
  };
}
