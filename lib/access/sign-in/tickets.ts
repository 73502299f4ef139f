import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { createAttempts } from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

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

/**
 * The secret that seals sessions and tickets. Created once per installation and stored in its database, so that sign-ins
 * survive a restart and every process uses the same one.
 */
export async function loadSessionSecret({ prisma }: Database): Promise<string> {
  const name = "session_secret";
  const existing = await prisma.setting.findUnique({ where: { name } });
  // Nothing is written, so that the commands work with a read-only database.
  if (existing !== null) return existing.value;
  const value = randomBytes(48).toString("base64url");
  // If processes start together, one inserts, and all read the same row.
  await prisma.setting.createMany({ data: [{ name, value }], skipDuplicates: true });
  const { value: stored } = await prisma.setting.findUniqueOrThrow({ where: { name } });
  return stored;
}

/** Encrypts and authenticates short texts (AES-256-GCM). */
export interface Seal {
  /** `owner` is authenticated too: a sealed text copied to another owner's row does not open. */
  seal(text: string, owner?: string): string;
  /** The text, or null if it was sealed with another secret, purpose or owner. */
  open(sealed: string, owner?: string): string | null;
}

const ALGORITHM = "aes-256-gcm";
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/** The key is derived from the installation's secret and the purpose, so a text of one purpose cannot serve another. */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `spotline ${purpose}`, 32));
  return {
    seal(text, owner = "") {
      const iv = randomBytes(IV_LENGTH);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },

    open(sealed, owner = "") {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < IV_LENGTH + TAG_LENGTH) return null;
      const iv = bytes.subarray(0, IV_LENGTH);
      const tag = bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
      try {
        const text = Buffer.concat([decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH)), decipher.final()]);
        return text.toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
