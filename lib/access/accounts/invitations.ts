import { randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { checkPlan } from "@/lib/access/accounts/account";
import { checkEmail } from "@/lib/access/accounts/email";
import type { Actor } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import type { PlanName } from "@/lib/access/plans";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { WEEK_MS } from "@/lib/time/units";
import type { Invitation as InvitationRow, Prisma } from "@/prisma/generated/client";

/**
 * Links that let one person each sign up. Only a hash of the link's secret is stored. The invitation's id becomes the
 * account's id, so the account's audit history starts with the invitation.
 */
export type Invitations = ReturnType<typeof createInvitations>;

export interface Invitation {
  readonly id: string;
  /** The only address that may use it; null for any. */
  readonly email: string | null;
  /** The plan of the new account. */
  readonly plan: PlanName;
  readonly state: "open" | "expired" | "used";
  /** UTC milliseconds, like all times here. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
}

interface NewInvitation {
  readonly email?: string | undefined;
  /** Default "free". */
  readonly plan?: PlanName | undefined;
}

const LIFETIME_MS = WEEK_MS;
const MAX_INVITATIONS = 1_000;

export function createInvitations(database: Database, { now }: { readonly now: Clock }) {
  return {
    /** Creates an invitation for a week, with the secret of its link, which cannot be shown again. */
    async create({ email: text, plan = "free" }: NewInvitation, by: Actor): Promise<Invitation & { token: string }> {
      const email = text === undefined || text.trim() === "" ? null : checkEmail(text);
      checkPlan(plan);
      const token = randomBytes(32).toString("base64url");
      const row = await change(database, async (transaction) => {
        if ((await transaction.invitation.count()) >= MAX_INVITATIONS) {
          throw new AccessError("too_many_invitations", `There are ${MAX_INVITATIONS} invitations: remove some first.`);
        }
        const times = { createdAt: new Date(now()), expiresAt: new Date(now() + LIFETIME_MS) };
        const invitation = await transaction.invitation.create({
          data: { tokenHash: hashSecret(token), email, plan, ...times },
        });
        // Without the address, because nothing can be removed from the audit log.
        const after = { plan, bound_to_address: email !== null, expires_at: invitation.expiresAt.toISOString() };
        await record(transaction, { atMs: now(), event: "invitation.create", by, accountId: invitation.id, after });
        return invitation;
      });
      return { ...toInvitation(row, now()), token };
    },

    /** Every invitation, newest first. */
    async list(): Promise<Invitation[]> {
      const rows = await database.prisma.invitation.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map((row) => toInvitation(row, now()));
    },

    /** The open invitation of this link, or null. */
    async find(token: string): Promise<Invitation | null> {
      const row = await findOpenInvitation(database.prisma, token, now());
      return row && toInvitation(row, now());
    },

    /** Revokes an open invitation, or removes an old one from the list. */
    async remove(id: string, by: Actor): Promise<void> {
      if (!isId(id)) throw createNotFoundError();
      await change(database, async (transaction) => {
        const { count } = await transaction.invitation.deleteMany({ where: { id } });
        if (count === 0) throw createNotFoundError();
        await record(transaction, { atMs: now(), event: "invitation.revoke", by, accountId: id });
      });
    },
  };
}

/** The invitation of this link, unless it was used or removed, or has expired. */
export function findOpenInvitation(client: Prisma.TransactionClient, token: string, nowMs: number) {
  return client.invitation.findFirst({
    where: { tokenHash: hashSecret(token.slice(0, 200)), usedAt: null, expiresAt: { gt: new Date(nowMs) } },
  });
}

function createNotFoundError(): AccessError {
  return new AccessError("invitation_not_found", "There is no such invitation any more.");
}

function toInvitation(row: InvitationRow, nowMs: number): Invitation {
  const [expiresAtMs, usedAtMs] = [row.expiresAt.getTime(), row.usedAt?.getTime() ?? null];
  const state = usedAtMs !== null ? "used" : expiresAtMs <= nowMs ? "expired" : "open";
  const { id, email, plan } = row;
  return { id, email, plan, state, createdAtMs: row.createdAt.getTime(), expiresAtMs, usedAtMs };
}
