import type { Facts } from "@/lib/access/audit-event";
import { DAY_MS } from "@/lib/time/units";
import type { Prisma, Session as SessionRow } from "@/prisma/generated/client";

export const SESSION_LIFE_MS = 14 * DAY_MS;

/** A browser that is signed in. */
export interface AccountSession {
  /** Not secret: identifies the session in lists. */
  readonly id: string;
  readonly accountId: string;
  /** Times in UTC milliseconds. */
  readonly createdAtMs: number;
  /** The latest page or action, or one at most a minute older. */
  readonly lastSeenAtMs: number;
  readonly expiresAtMs: number;
  /** When the owner last entered the password again or used a passkey; null if neither. */
  readonly confirmedAtMs: number | null;
  /** The latest network address, if known. */
  readonly address: string | null;
  /** "Firefox on Linux". */
  readonly browser: string;
}

export function toAccountSession(row: SessionRow): AccountSession {
  return {
    id: row.id,
    accountId: row.accountId,
    createdAtMs: row.createdAt.getTime(),
    lastSeenAtMs: row.lastSeenAt.getTime(),
    expiresAtMs: row.expiresAt.getTime(),
    confirmedAtMs: row.confirmedAt?.getTime() ?? null,
    address: row.address,
    browser: row.browser,
  };
}

/** Ends an account's sessions in the transaction that makes them invalid. Resolves with a fact for its audit event. */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  accountId: string,
  { allBut }: { readonly allBut: string | undefined },
): Promise<Facts> {
  const others = allBut === undefined ? {} : { id: { not: allBut } };
  const { count } = await transaction.session.deleteMany({ where: { accountId, ...others } });
  return { sessions_ended: count };
}
