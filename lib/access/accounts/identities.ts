import { AccessError } from "@/lib/access/access-error";
import type { SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/audit";
import { change, isId } from "@/lib/access/revision";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import type { Prisma } from "@/prisma/generated/client";

/**
 * Who an account is with a provider that people sign in with. The provider's own name for the person, which never
 * changes, is what counts; an e-mail address can pass from one person to another.
 */

/** What a provider says of somebody. */
export interface ToldIdentity {
  /** "oidc", "github" or "google". */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Lower case. Only ever one that the provider vouches for. */
  readonly email: string;
}

interface Identity extends Omit<ToldIdentity, "subject"> {
  readonly id: string;
  readonly createdAtMs: number;
}

export type Identities = ReturnType<typeof createIdentities>;

export function createIdentities(database: Database, { now }: { now: Clock }) {
  const { identity } = database.prisma;
  return {
    /** The id of the account that this is, or null. */
    async accountOf({ issuer, subject }: Pick<ToldIdentity, "issuer" | "subject">): Promise<string | null> {
      const row = await identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
      return row?.accountId ?? null;
    },

    /** Those of an account, oldest first. */
    async list(accountId: string): Promise<Identity[]> {
      const rows = await identity.findMany({ where: { accountId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
      return rows.map(({ id, provider, issuer, email, createdAt }) => {
        return { id, provider, issuer, email, createdAtMs: createdAt.getTime() };
      });
    },

    /** Links it to the owner's account; the owner has proved to be both. Nothing happens where it is linked already. */
    async link(told: ToldIdentity, by: SignedIn): Promise<void> {
      await change(database, (transaction) => addIdentity(transaction, told, by, now()));
    },

    /** Unlinks it; needs the password or what stands for it, and refuses to take away the last way to sign in. */
    async unlink(id: string, by: SignedIn): Promise<void> {
      if (by.confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = isId(id) ? await transaction.identity.findFirst({ where: { id, accountId } }) : null;
        if (row === null) throw new AccessError("identity_state", "This link is gone already.");
        const { passwordHash } = await transaction.account.findUniqueOrThrow({ where: { id: accountId } });
        if (passwordHash === null && (await transaction.identity.count({ where: { accountId } })) === 1) {
          throw new AccessError("identity_state", "This is your only way to sign in: set a password first.");
        }
        await transaction.identity.delete({ where: { id } });
        const before = { provider: row.provider, issuer: row.issuer };
        await record(transaction, { atMs: now(), event: "account.unlink_identity", by, accountId, before });
      });
    },
  };
}

/** Adds it to an account, with its event. Only within `change`. */
export async function addIdentity(
  transaction: Prisma.TransactionClient,
  { provider, issuer, subject, email }: ToldIdentity,
  by: SignedIn,
  atMs: number,
): Promise<void> {
  const { accountId } = by;
  const found = await transaction.identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (found?.accountId === accountId) return;
  if (found !== null) throw new AccessError("identity_state", "This sign-in belongs to another account.");
  await transaction.identity.create({
    data: { accountId, provider, issuer, subject, email, createdAt: new Date(atMs) },
  });
  const after = { provider, issuer };
  await record(transaction, { atMs, event: "account.link_identity", by, accountId, after });
}
