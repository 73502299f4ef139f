import { getCurrentSession } from "@/features/session/session";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { readVisitorAddress } from "@/features/session/visitor";
import { listProviders, type ProviderProfile } from "@/features/sign-in/providers";
import { enterOrAskForCode } from "@/features/sign-in/second-step";
import type { SignInProblem } from "@/features/sign-in/sign-in-problems";
import { isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { ProviderIdentity } from "@/lib/access/accounts/identities";
import { anonymous } from "@/lib/access/actor";
import { getRuntime } from "@/lib/runtime";
import { MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/** Finishes a sign-in after a provider has identified the caller. */

interface Started {
  readonly provider: string;
  /** To sign in, or to confirm the signed-in owner of an account without a password. */
  readonly purpose: "sign-in" | "confirm";
  readonly next: string;
  /** The secret of the invitation link. */
  readonly invitation?: string | undefined;
}

interface LinkOffer {
  readonly accountId: string;
  readonly email: string;
  readonly identity: ProviderIdentity;
  readonly next: string;
}

/** Valid from the click to the reply of the provider. */
export const startedSignIn = createTicketCookie<Started>("provider", QUARTER_HOUR_MS);
/** Valid until the password of the account to link is entered. */
export const linkOffer = createTicketCookie<LinkOffer>("link", 10 * MINUTE_MS);

/** How recent a sign-in must be to replace the password. */
const RECENT_MS = 10 * MINUTE_MS;

const toProblemPath = (name: SignInProblem) => `/sign-in?error=${name}`;

/** Finds or creates the account of an identified caller, or offers to link one. Returns the path to go to. */
export async function finishSignIn(profile: ProviderProfile, provider: string): Promise<string> {
  const attempt = await startedSignIn.read();
  await startedSignIn.end();
  if (attempt === null || attempt.provider !== provider) return toProblemPath("provider");
  const { accounts, identities } = await getRuntime();
  const { issuer, id: subject, email } = profile;
  const accountId = await identities.findAccountId({ issuer, subject });
  if (attempt.purpose === "confirm") return confirm(profile, provider, accountId, attempt.next);
  if (accountId !== null) {
    const account = await accounts.find(accountId);
    if (account === null) return toProblemPath("provider");
    if (account.suspendedAtMs !== null) return toProblemPath("suspended");
    return enterOrAskForCode({ accountId, next: attempt.next });
  }
  if (email === null) return toProblemPath("unverified");
  const identity = { provider, issuer, subject, email };
  const existing = await accounts.findByEmail(email);
  if (existing === null) return signUp(identity, attempt);
  // The same address is not enough: only the owner of the account may link a provider.
  if (!existing.hasPassword) return toProblemPath("taken");
  await linkOffer.issue({ accountId: existing.id, email, identity, next: attempt.next });
  return "/sign-in/link";
}

async function signUp(identity: ProviderIdentity, { next, invitation }: Started): Promise<string> {
  const { accounts } = await getRuntime();
  const by = anonymous(await readVisitorAddress());
  try {
    const account = await accounts.create({ email: identity.email, password: null, identity, invitation }, by);
    return await enterOrAskForCode({ accountId: account.id, next });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return toProblemPath(error.code === "invitation_not_yours" ? "uninvited" : "refused");
  }
}

async function confirm(
  profile: ProviderProfile,
  provider: string,
  accountId: string | null,
  next: string,
): Promise<string> {
  const { accountSessions, now } = await getRuntime();
  const session = await getCurrentSession();
  if (session === null) return toProblemPath("late");
  if (accountId !== session.accountId) return "/account?error=other";
  // GitHub and Google do not say when the person last signed in; OpenID Connect does on request.
  const isRecent = profile.authTimeMs === null ? provider !== "oidc" : now() - profile.authTimeMs < RECENT_MS;
  if (!isRecent) return "/account?error=stale";
  await accountSessions.confirm(session.id);
  return next;
}

/** The identity providers linked to an account without a password; null for an account with one. */
export async function readLinkedProviders({ id, hasPassword }: Pick<Account, "id" | "hasPassword">) {
  if (hasPassword) return null;
  const { config, identities } = await getRuntime();
  const linked = await identities.list(id);
  return listProviders(config.providers).filter((name) => linked.some(({ provider }) => provider === name.id));
}
