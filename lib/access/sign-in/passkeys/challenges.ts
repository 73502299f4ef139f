import { randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { hashSecret } from "@/lib/access/secret";
import { createAttempts } from "@/lib/access/sign-in/attempts";
import { createTickets } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** What a challenge is for. A response to one purpose is not accepted for another. */
export type ChallengePurpose = "add" | "sign-in" | "confirm";

interface Content {
  /** 32 random bytes, base64url. */
  readonly challenge: string;
  readonly purpose: ChallengePurpose;
  /** The session or browser that it was issued to. */
  readonly boundTo: string;
}

const CHALLENGE_LIFE_MS = 10 * MINUTE_MS;

export type Challenges = ReturnType<typeof createChallenges>;

/**
 * Challenges that a passkey signs. The browser carries them as sealed tickets, so that every process can check them.
 * Used ones are in the database, so that each is accepted once.
 */
export function createChallenges(database: Database, { now, secret }: { now: Clock; secret: string }) {
  const tickets = createTickets<Content>({ secret, purpose: "passkey challenge", now, lifeMs: CHALLENGE_LIFE_MS });
  const attempts = createAttempts(database, { now });

  return {
    issue(purpose: ChallengePurpose, boundTo: string): { challenge: Uint8Array<ArrayBuffer>; ticket: string } {
      const bytes = randomBytes(32);
      const challenge = bytes.toString("base64url");
      return { challenge: Uint8Array.from(bytes), ticket: tickets.issue({ challenge, purpose, boundTo }) };
    },

    /** Resolves with the challenge, base64url, once. Rejects with "passkey_refused" for any other ticket. */
    async redeem(ticket: string, purpose: ChallengePurpose, boundTo: string): Promise<string> {
      const content = tickets.read(ticket);
      if (content === null || content.purpose !== purpose || content.boundTo !== boundTo) throw createLateError();
      const use = { name: `passkey:${hashSecret(content.challenge)}`, maxAttempts: 1, windowMs: CHALLENGE_LIFE_MS };
      if ((await attempts.take(use)).exhausted !== null) throw createLateError();
      return content.challenge;
    },
  };
}

function createLateError(): AccessError {
  return new AccessError("passkey_refused", "That took too long, or was sent already. Use the passkey again.");
}
