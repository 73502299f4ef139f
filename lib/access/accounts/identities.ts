import { AccessError } from "@/lib/access/access-error";
import { anonymous, type SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { createAttempts, getRefusalLimit } from "@/lib/access/sign-in/sign-in-limits";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import type { Prisma } from "@/prisma/generated/client";

/**
 * An account's identities at the providers it signs in with. Issuer and subject identify the person: unlike an e-mail
 * address they never change hands.
 */
/** A person, as an identity provider describes them. */
export interface ProviderIdentity {
  /** "oidc", "github" or "google". */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Lower case, and verified by the provider. */
  readonly email: string;
}

interface Identity extends Omit<ProviderIdentity, "subject"> {
  readonly id: string;
  readonly createdAtMs: number;
}

export function createIdentities(database: Database, { now }: { now: Clock }) {
  const { identity } = database.prisma;
  const attempts = createAttempts(database, { now });
  return {
    /** The id of the account that has this identity, or null. */
    async findAccountId({ issuer, subject }: Pick<ProviderIdentity, "issuer" | "subject">): Promise<string | null> {
      const row = await identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
      return row?.accountId ?? null;
    },

    /**
     * Records that a provider identified the owner but the settings refuse them. At most six times an hour, so that
     * trying again does not fill the log.
     */
    async recordRefusal(
      accountId: string,
      after: { readonly provider: string; readonly problem: string },
      address: string | null,
    ): Promise<void> {
      if ((await attempts.take(getRefusalLimit(accountId))).exhausted !== null) return;
      const by = anonymous(address);
      await change(database, (transaction) =>
        record(transaction, { atMs: now(), event: "account.refuse_sign_in", by, accountId, after }),
      );
    },

    /** The account's identities, oldest first. */
    async list(accountId: string): Promise<Identity[]> {
      const rows = await identity.findMany({ where: { accountId }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
      return rows.map(({ id, provider, issuer, email, createdAt }) => {
        return { id, provider, issuer, email, createdAtMs: createdAt.getTime() };
      });
    },

    /** Links an identity to the owner's account. The caller has checked that it is the owner's. */
    async link(linked: ProviderIdentity, by: SignedIn): Promise<void> {
      await change(database, (transaction) => addIdentity(transaction, linked, by, now()));
    },

    /** Needs a confirmed owner. Refuses to remove the last way to sign in. */
    async unlink(id: string, by: SignedIn): Promise<void> {
      if (by.confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
      const { accountId } = by;
      await change(database, async (transaction) => {
        const row = isId(id) ? await transaction.identity.findFirst({ where: { id, accountId } }) : null;
        if (row === null) throw new AccessError("identity_state", "This account is not linked any more.");
        const { passwordHash } = await transaction.account.findUniqueOrThrow({ where: { id: accountId } });
        const others = { where: { accountId } };
        const count = (await transaction.identity.count(others)) + (await transaction.passkey.count(others));
        if (passwordHash === null && count === 1) {
          throw new AccessError("identity_state", "This is your only way to sign in: set a password first.");
        }
        await transaction.identity.delete({ where: { id } });
        const before = { provider: row.provider, issuer: row.issuer };
        await record(transaction, { atMs: now(), event: "account.unlink_identity", by, accountId, before });
      });
    },
  };
}

/** Adds an identity to the owner's account; does nothing if it is linked already. Only inside `change`. */
export async function addIdentity(
  transaction: Prisma.TransactionClient,
  { provider, issuer, subject, email }: ProviderIdentity,
  by: SignedIn,
  atMs: number,
): Promise<void> {
  const { accountId } = by;
  const existing = await transaction.identity.findUnique({ where: { issuer_subject: { issuer, subject } } });
  if (existing?.accountId === accountId) return;
  if (existing !== null) throw new AccessError("identity_state", "This sign-in belongs to another account.");
  await transaction.identity.create({
    data: { accountId, provider, issuer, subject, email, createdAt: new Date(atMs) },
  });
  const after = { provider, issuer };
  await record(transaction, { atMs, event: "account.link_identity", by, accountId, after });
}
