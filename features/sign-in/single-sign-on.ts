import { currentSession } from "@/features/session/session";
import { ticketCookie } from "@/features/session/ticket-cookie";
import { visitorAddress } from "@/features/session/visitor";
import type { Told } from "@/features/sign-in/providers";
import { admission } from "@/features/sign-in/second-step";
import type { SignInProblem } from "@/features/sign-in/sign-in-problems";
import { isAccessError } from "@/lib/access/access-error";
import type { ProviderIdentity } from "@/lib/access/accounts/identities";
import { anonymous } from "@/lib/access/actor";
import { getRuntime } from "@/lib/runtime";
import { MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/** What becomes of somebody whom a provider has told us about. */

interface Started {
  readonly provider: string;
  /** To sign in, or to prove again, while signed in, who one is: for accounts without a password. */
  readonly purpose: "sign-in" | "confirm";
  readonly next: string;
  /** The secret of the link by which somebody was invited. */
  readonly invitation?: string | undefined;
}

interface LinkOffer {
  readonly accountId: string;
  readonly email: string;
  readonly identity: ProviderIdentity;
  readonly next: string;
}

/** From the click to the answer; a provider may let people take their time. */
export const started = ticketCookie<Started>("provider", QUARTER_HOUR_MS);
/** Waits for the password of the account to be linked. */
export const linkOffer = ticketCookie<LinkOffer>("link", 10 * MINUTE_MS);

/** How recent a proof must be to stand for the password. */
const RECENT_MS = 10 * MINUTE_MS;

const problem = (name: SignInProblem) => `/sign-in?error=${name}`;

/** Where to go, now that the provider has told who this is. An account is found, made, or offered to be linked. */
export async function finish(told: Told, provider: string): Promise<string> {
  const begun = await started.read();
  await started.end();
  if (begun === null || begun.provider !== provider) return problem("provider");
  const { accounts, identities } = await getRuntime();
  const { issuer, id: subject, email } = told;
  const accountId = await identities.findAccountId({ issuer, subject });
  if (begun.purpose === "confirm") return confirm(told, provider, accountId, begun.next);
  if (accountId !== null) {
    const account = await accounts.find(accountId);
    if (account === null) return problem("provider");
    if (account.suspendedAtMs !== null) return problem("suspended");
    return admission({ accountId, next: begun.next });
  }
  if (email === null) return problem("unverified");
  const identity = { provider, issuer, subject, email };
  const existing = await accounts.findByEmail(email);
  if (existing === null) return signUp(identity, begun);
  // The address is the account's, but only the account's owner may open this door to it.
  if (!existing.hasPassword) return problem("taken");
  await linkOffer.issue({ accountId: existing.id, email, identity, next: begun.next });
  return "/sign-in/link";
}

async function signUp(identity: ProviderIdentity, { next, invitation }: Started): Promise<string> {
  const { accounts } = await getRuntime();
  const by = anonymous(await visitorAddress());
  try {
    const account = await accounts.create({ email: identity.email, password: null, identity, invitation }, by);
    return await admission({ accountId: account.id, next });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return problem(error.code === "invitation_not_yours" ? "uninvited" : "refused");
  }
}

async function confirm(told: Told, provider: string, accountId: string | null, next: string): Promise<string> {
  const { accountSessions, now } = await getRuntime();
  const session = await currentSession();
  if (session === null) return problem("late");
  if (accountId !== session.accountId) return "/account?error=other";
  // GitHub and Google do not say when somebody last proved who they are; OpenID Connect does when it is asked to.
  const isRecent = told.authTimeMs === null ? provider !== "oidc" : now() - told.authTimeMs < RECENT_MS;
  if (!isRecent) return "/account?error=stale";
  await accountSessions.confirm(session.id);
  return next;
}
