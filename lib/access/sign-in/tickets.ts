import { createSeal } from "@/lib/access/sign-in/seal";
import type { Clock } from "@/lib/platform/clock";

/**
 * What a browser carries from one step to the next, where nobody is signed in yet: sealed, so that it can be neither
 * read nor written outside, and good for a few minutes. A ticket is not a session: each purpose has tickets of its own.
 */
export function createTickets<Content extends object>({
  secret,
  purpose,
  now,
  lifeMs,
}: {
  secret: string;
  purpose: string;
  now: Clock;
  lifeMs: number;
}) {
  const { seal, open } = createSeal(secret, `ticket: ${purpose}`);
  return {
    lifeMs,

    issue(content: Content): string {
      return seal(JSON.stringify({ content, endsAtMs: now() + lifeMs }));
    },

    /** What it was issued for, or null once it is over, and for what was never issued. */
    read(ticket: string): Content | null {
      const text = open(ticket);
      if (text === null) return null;
      // What opens was sealed by `issue`.
      const { content, endsAtMs } = JSON.parse(text) as { content: Content; endsAtMs: number };
      return now() < endsAtMs ? content : null;
    },
  };
}
