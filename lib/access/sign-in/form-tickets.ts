import { createHash, randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";

export const TICKET_LIFE_MS = DAY_MS;

interface FormUse {
  readonly ticket: unknown;
  readonly sessionId: string;
  /** What the form does, such as "revoke 0199…". */
  readonly act: string;
}

/**
 * Tickets for forms that change something. Each page carries one, bound to its session. Each action of the page runs
 * once per ticket, so a form that is sent again, or replayed in another session, changes nothing.
 */
export function createFormTickets(database: Database, { now, secret }: { now: Clock; secret: string }) {
  const attempts = createAttempts(database, { now });
  const options = { secret, purpose: "form", now, lifeMs: TICKET_LIFE_MS };
  const tickets = createTickets<{ id: string; sessionId: string }>(options);

  return {
    issue(sessionId: string): string {
      return tickets.issue({ id: randomUUID(), sessionId });
    },

    /**
     * Runs `work` unless this action already ran with this ticket. If `work` rejects, the action may run again. Rejects
     * with "form_used" for a second run, and for a ticket of another session.
     */
    async once<Result>({ ticket, sessionId, act }: FormUse, work: () => Promise<Result>): Promise<Result> {
      const content = typeof ticket === "string" ? tickets.read(ticket) : null;
      if (content?.sessionId !== sessionId) {
        throw new AccessError("form_used", "This form is out of date. Load the page again.");
      }
      // A hash, because the form says part of the act, which may have any length and any character.
      const what = createHash("sha256").update(act).digest("base64url").slice(0, 22);
      const use = { name: `form:${content.id}:${what}`, maxAttempts: 1, windowMs: TICKET_LIFE_MS };
      if ((await attempts.take(use)).exhausted !== null) {
        throw new AccessError("form_used", "This form was sent already. Load the page again to see the result.");
      }
      try {
        return await work();
      } catch (error) {
        await attempts.forget(use);
        throw error;
      }
    },
  };
}
