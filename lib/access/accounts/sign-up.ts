import { AccessError } from "@/lib/access/access-error";
import { findOpenInvitation } from "@/lib/access/accounts/invitations";
import { isSetupCode } from "@/lib/access/accounts/setup-code";
import type { PlanName } from "@/lib/access/plans";
import type { Prisma } from "@/prisma/generated/client";

/** Who may sign up: everyone, everyone with an invitation, or no one. */
export type SignUpMode = "open" | "invitation" | "closed";

interface SignUp {
  readonly mode: SignUpMode;
  /** Normalised. */
  readonly email: string;
  /** The secret of the invitation link. */
  readonly invitation: string | undefined;
  /** The code of the setup link, as the visitor sent it and as it is. */
  readonly setup: { readonly sent: string | undefined; readonly code: string | undefined };
  readonly nowMs: number;
}

/** The terms of a new account. */
export interface SignUpTerms {
  /** The invitation's id, which becomes the account's; undefined without an invitation. */
  readonly id: string | undefined;
  readonly plan: PlanName;
}

/**
 * Throws an AccessError if the person may not sign up. The first account of an installation, which is the operator's,
 * needs the code of the setup link. The answer is final only inside `change`.
 */
export async function admitSignUp(client: Prisma.TransactionClient, signUp: SignUp): Promise<SignUpTerms> {
  const { mode, email, invitation: token, setup, nowMs } = signUp;
  const freeTerms: SignUpTerms = { id: undefined, plan: "free" };
  if ((await client.account.count()) === 0) {
    if (isSetupCode(setup.sent, setup.code)) return freeTerms;
    throw new AccessError("setup_required", "Open the setup link that the server wrote to its log at its start.");
  }
  if (mode === "closed") throw new AccessError("sign_up_closed", "Only the operator can create accounts.");
  if (token === undefined) {
    if (mode === "open") return freeTerms;
    throw new AccessError("sign_up_closed", "You need an invitation to sign up. Ask the operator for one.");
  }
  const invitation = await findOpenInvitation(client, token, nowMs);
  if (invitation === null) {
    throw new AccessError("invitation_not_found", "This invitation was used, revoked or has expired.");
  }
  if (invitation.email !== null && invitation.email !== email) {
    throw new AccessError("invitation_not_yours", "This invitation is for another e-mail address.");
  }
  return { id: invitation.id, plan: invitation.plan };
}

/** Marks an invitation as used. Only inside `change`. */
export async function markUsed(client: Prisma.TransactionClient, id: string, atMs: number): Promise<void> {
  await client.invitation.update({ where: { id }, data: { usedAt: new Date(atMs) } });
}
