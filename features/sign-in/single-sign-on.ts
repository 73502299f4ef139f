import { getCurrentSession } from "@/features/session/session";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { readVisitorAddress } from "@/features/session/visitor";
import { listProviders, type ProviderProfile } from "@/features/sign-in/providers";
import { enterOrAskForCode } from "@/features/sign-in/second-step";
import { isAccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { ProviderIdentity } from "@/lib/access/accounts/identities";
import { anonymous } from "@/lib/access/actor";
import type { RequiredMembership } from "@/lib/platform/settings/provider-settings";
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
  /** The code of the setup link. */
  readonly setupCode?: string | undefined;
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

/** Logs a refusal. Returns the path of the page that says why. */
export async function refuseSignIn(problem: SignInProblem, accountId: string | null = null): Promise<string> {
  const { refusedSignIns } = await getRuntime();
  const address = await readVisitorAddress();
  refusedSignIns.report({ reason: "single_sign_on", address, accountId, detail: problem });
  return `/sign-in?error=${problem}`;
}

/** Finds or creates the account of an identified caller, or offers to link one. Returns the path to go to. */
export async function finishSignIn(profile: ProviderProfile, provider: string): Promise<string> {
  const attempt = await startedSignIn.read();
  await startedSignIn.end();
  if (attempt === null || attempt.provider !== provider) return refuseSignIn("provider");
  const { accounts, identities, config } = await getRuntime();
  const { issuer, id: subject, email } = profile;
  const accountId = await identities.findAccountId({ issuer, subject });
  // At every sign-in: people leave groups.
  const problem = findMembershipProblem(profile, provider, config.providers.required);
  if (problem !== null) {
    if (accountId !== null)
      await identities.recordRefusal(accountId, { provider, problem }, await readVisitorAddress());
    const path = await refuseSignIn(problem, accountId);
    return attempt.purpose === "confirm" ? `/account?error=${problem}` : path;
  }
  if (attempt.purpose === "confirm") return confirm(profile, provider, accountId, attempt.next);
  if (accountId !== null) {
    const account = await accounts.find(accountId);
    if (account === null) return refuseSignIn("provider");
    if (account.suspendedAtMs !== null) return refuseSignIn("suspended", accountId);
    return enterOrAskForCode({ accountId, next: attempt.next });
  }
  if (email === null) return refuseSignIn("unverified");
  const identity = { provider, issuer, subject, email };
  const existing = await accounts.findByEmail(email);
  if (existing === null) return signUp(identity, attempt);
  // The same address is not enough: only the owner of the account may link a provider.
  if (!existing.hasPassword) return refuseSignIn("taken", existing.id);
  await linkOffer.issue({ accountId: existing.id, email, identity, next: attempt.next });
  return "/sign-in/link";
}

async function signUp(identity: ProviderIdentity, { next, invitation, setupCode }: Started) {
  const { accounts } = await getRuntime();
  const by = anonymous(await readVisitorAddress());
  try {
    const account = await accounts.create(
      { email: identity.email, password: null, identity, invitation, setupCode },
      by,
    );
    return await enterOrAskForCode({ accountId: account.id, next });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuseSignIn(error.code === "invitation_not_yours" ? "uninvited" : "refused");
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
  if (session === null) return "/sign-in?error=late";
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

/** What a person lacks to sign in with a provider. */
export type MembershipProblem = "domain" | "group" | "organisation";

/** Checks a person who has signed in with a provider. Null if they may go on. */
export function findMembershipProblem(
  { email, hostedDomain, groups }: ProviderProfile,
  provider: string,
  required: RequiredMembership,
): MembershipProblem | null {
  const isOneOf = (list: readonly string[], values: readonly string[]) =>
    list.length === 0 || values.some((value) => list.includes(value));
  if (provider === "github") return isOneOf(required.organisations, groups) ? null : "organisation";
  const domain = email?.slice(email.lastIndexOf("@") + 1);
  if (!isOneOf(required.domains, domain === undefined ? [] : [domain])) return "domain";
  if (provider === "google") {
    // Google verifies any address. Only `hd` says that the account belongs to the domain's Workspace.
    return isOneOf(required.domains, hostedDomain === null ? [] : [hostedDomain]) ? null : "domain";
  }
  return isOneOf(required.groups, groups) ? null : "group";
}

/** The reasons of a failed sign-in with a provider, by the value of `error` in the address. */
const SIGN_IN_PROBLEMS = {
  provider: "Signing in with the provider failed. Try again, or use your password.",
  unverified: "The provider has not verified your e-mail address. Verify it there, then try again.",
  taken: "An account with this e-mail address already exists. Sign in the way you did before.",
  refused: "An account could not be created for you. Ask the operator of this installation.",
  uninvited: "The invitation is for a different e-mail address than the one at the provider.",
  suspended: "This account is suspended. Ask the operator of this installation.",
  domain:
    "Only people of certain e-mail domains may sign in here. The provider named another address, or has not verified it.",
  group: "You are not in a group that may sign in here. Ask the operator of this installation.",
  organisation:
    "You are not a member of the GitHub organisation whose members may sign in here, or it has not approved this app.",
  other: "You signed in with a provider account that is not linked to this account.",
  stale: "The provider did not ask you to sign in again, so nothing was confirmed.",
  late: "That took too long. Sign in again.",
} as const;

type SignInProblem = keyof typeof SIGN_IN_PROBLEMS;

export function findSignInProblem(word: unknown): string | null {
  return typeof word === "string" && Object.hasOwn(SIGN_IN_PROBLEMS, word)
    ? SIGN_IN_PROBLEMS[word as SignInProblem]
    : null;
}
