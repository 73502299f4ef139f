import { randomBytes } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { checkEmail } from "@/lib/access/accounts/email";
import type { Actor } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/audit";
import { hashSecret } from "@/lib/access/keys/key-format";
import { type PlanName, planNames } from "@/lib/access/plans";
import { change, isId } from "@/lib/access/revision";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { WEEK_MS } from "@/lib/time/units";
import type { Invitation as InvitationRow, Prisma } from "@/prisma/generated/client";

/**
 * Links with which one person each may sign up. The secret in a link leaves once, with the answer that made it; only
 * its hash is stored. An invitation's id becomes that of the account made with it, so that the account's history
 * begins with whoever invited it.
 */

export interface Invitation {
  readonly id: string;
  /** The only address that may use it; null lets any. */
  readonly email: string | null;
  /** The plan that the account begins with. */
  readonly plan: PlanName;
  readonly state: "open" | "expired" | "used";
  /** UTC milliseconds, as all of these. */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly usedAtMs: number | null;
}

interface NewInvitation {
  readonly email?: string | undefined;
  /** Free, unless said otherwise. */
  readonly plan?: PlanName | undefined;
}

export type Invitations = ReturnType<typeof createInvitations>;

const lifetimeMs = WEEK_MS;
/** Enough to lose sight of; then old ones have to go. */
const mostInvitations = 1_000;

export function createInvitations(database: Database, { now }: { readonly now: Clock }) {
  return {
    /** Makes an invitation for a week. Resolves with the secret of its link, which cannot be shown again. */
    async create({ email: text, plan = "free" }: NewInvitation, by: Actor): Promise<Invitation & { token: string }> {
      const email = text === undefined || text.trim() === "" ? null : checkEmail(text);
      if (!planNames.includes(plan)) throw new AccessError("invalid_plan", "Choose a plan.");
      const token = randomBytes(32).toString("base64url");
      const row = await change(database, async (transaction) => {
        if ((await transaction.invitation.count()) >= mostInvitations) {
          throw new AccessError("too_many_invitations", `There are ${mostInvitations} invitations: remove some first.`);
        }
        const times = { createdAt: new Date(now()), expiresAt: new Date(now() + lifetimeMs) };
        const made = await transaction.invitation.create({
          data: { tokenHash: hashSecret(token), email, plan, ...times },
        });
        // The address itself could not be taken out of the log again.
        const after = { plan, bound_to_address: email !== null, expires_at: made.expiresAt.toISOString() };
        await record(transaction, { atMs: now(), event: "invitation.create", by, accountId: made.id, after });
        return made;
      });
      return { ...viewAt(row, now()), token };
    },

    /** Every invitation, newest first. */
    async list(): Promise<Invitation[]> {
      const rows = await database.prisma.invitation.findMany({ orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map((row) => viewAt(row, now()));
    },

    /** The invitation of this link, while it can be used. */
    async find(token: string): Promise<Invitation | null> {
      const row = await findOpen(database.prisma, token, now());
      return row && viewAt(row, now());
    },

    /** Takes an invitation back, or an old one off the list. Its link leads to nothing from then on. */
    async remove(id: string, by: Actor): Promise<void> {
      const notFound = () => new AccessError("invitation_not_found", "There is no such invitation any more.");
      if (!isId(id)) throw notFound();
      await change(database, async (transaction) => {
        const { count } = await transaction.invitation.deleteMany({ where: { id } });
        if (count === 0) throw notFound();
        await record(transaction, { atMs: now(), event: "invitation.revoke", by, accountId: id });
      });
    },
  };
}

/** The invitation of this link, unless it was used, taken back, or is too old. */
export function findOpen(client: Prisma.TransactionClient, token: string, nowMs: number) {
  return client.invitation.findFirst({
    where: { tokenHash: hashSecret(token.slice(0, 200)), usedAt: null, expiresAt: { gt: new Date(nowMs) } },
  });
}

function viewAt(row: InvitationRow, nowMs: number): Invitation {
  const [expiresAtMs, usedAtMs] = [row.expiresAt.getTime(), row.usedAt?.getTime() ?? null];
  const state = usedAtMs !== null ? "used" : expiresAtMs <= nowMs ? "expired" : "open";
  const { id, email, plan } = row;
  return { id, email, plan, state, createdAtMs: row.createdAt.getTime(), expiresAtMs, usedAtMs };
}
