import { createSeal } from "@/lib/access/sign-in/seal";
import type { Clock } from "@/lib/platform/timing/clock";

interface Options {
  readonly secret: string;
  readonly purpose: string;
  readonly now: Clock;
  readonly lifeMs: number;
}

/**
 * Sealed values that a browser or a command carries for a limited time: the session cookie, the steps of signing in,
 * forms. Only the server can read or create them, and a ticket of one purpose is not valid for another.
 */
export function createTickets<Content extends object>({ secret, purpose, now, lifeMs }: Options) {
  const { seal, open } = createSeal(secret, `ticket: ${purpose}`);
  return {
    issue(content: Content): string {
      return seal(JSON.stringify({ content, endsAtMs: now() + lifeMs }));
    },

    /** The content, or null if the ticket has expired or was not issued here. */
    read(ticket: string): Content | null {
      const text = open(ticket);
      if (text === null) return null;
      // Safe, because only `issue` seals with this purpose.
      const { content, endsAtMs } = JSON.parse(text) as { content: Content; endsAtMs: number };
      return now() < endsAtMs ? content : null;
    },
  };
}
