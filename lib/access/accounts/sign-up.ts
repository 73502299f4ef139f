import { AccessError } from "@/lib/access/access-error";
import { findOpen } from "@/lib/access/accounts/invitations";
import type { PlanName } from "@/lib/access/plans";
import type { Prisma } from "@/prisma/generated/client";

/** Who may make an account of their own: everybody, whoever was invited, or nobody. */
export type SignUpMode = "open" | "invitation" | "closed";

interface Newcomer {
  readonly mode: SignUpMode;
  /** Normalised. */
  readonly email: string;
  /** The secret of the link they came by. */
  readonly invitation: string | undefined;
  readonly nowMs: number;
}

/** What the account is made with. */
export interface Admission {
  /** The account's id, and the invitation's; undefined without one. */
  readonly id: string | undefined;
  readonly plan: PlanName;
}

/**
 * Whether somebody may sign up, and on which terms; throws the AccessError that says why not. The first account of an
 * installation always may. Inside `change` the answer holds until the account is made.
 */
export async function admit(client: Prisma.TransactionClient, newcomer: Newcomer): Promise<Admission> {
  const { mode, email, invitation: token, nowMs } = newcomer;
  const welcome: Admission = { id: undefined, plan: "free" };
  if ((await client.account.count()) === 0) return welcome;
  if (mode === "closed") throw new AccessError("sign_up_closed", "New accounts are made by the operator only.");
  if (token === undefined) {
    if (mode === "open") return welcome;
    throw new AccessError("sign_up_closed", "You need an invitation to sign up. Ask the operator for one.");
  }
  const invitation = await findOpen(client, token, nowMs);
  if (invitation === null) {
    throw new AccessError("invitation_not_found", "This invitation was used or taken back, or is too old.");
  }
  if (invitation.email !== null && invitation.email !== email) {
    throw new AccessError("invitation_not_yours", "This invitation is for another e-mail address.");
  }
  return { id: invitation.id, plan: invitation.plan };
}

/** Notes that the account with this invitation's id was made. Only within `change`. */
export async function markUsed(client: Prisma.TransactionClient, id: string, atMs: number): Promise<void> {
  await client.invitation.update({ where: { id }, data: { usedAt: new Date(atMs) } });
}
