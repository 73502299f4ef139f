import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Clock } from "@/lib/platform/clock";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * What the operator's command shows to a running server over HTTP. Whoever can make one knows the installation's
 * secret, and so can read its database anyway.
 */
export function createOperatorTickets(secret: string, now: Clock) {
  const tickets = createTickets<object>({ secret, purpose: "operator command", now, lifeMs: MINUTE_MS });
  return {
    /** The value of the Authorization header. */
    issue: (): string => `Bearer ${tickets.issue({})}`,
    admits(authorization: string | null): boolean {
      return authorization?.startsWith("Bearer ") === true && tickets.read(authorization.slice(7)) !== null;
    },
  };
}
