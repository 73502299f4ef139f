import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Authorizes the operator's command line at a running server. Issuing one takes the installation's secret. */
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
