import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { readVisitorAddress } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/accounts";
import { type AccountSession, SESSION_LIFE_MS } from "@/lib/access/sign-in/account-sessions";
import { getRuntime } from "@/lib/runtime";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * The signed-in account of a request. The session and the account are read from the database for every page and action,
 * so that a sign-out, a suspension or a change of plan is effective immediately. While it cannot be read, `TrustedReads`
 * answers; what changes something needs the database itself.
 */
const sessionCookie = createTicketCookie<Claims>("session", SESSION_LIFE_MS);

interface Claims {
  readonly accountId: string;
  /** The session's token. */
  readonly token: string;
}

/** Signs this browser in and ends its previous session. Only for server actions, once the caller is authenticated. */
export async function startSession(accountId: string): Promise<void> {
  const { accountSessions } = await getRuntime();
  const replaces = (await sessionCookie.read())?.token;
  const userAgent = (await headers()).get("user-agent");
  const { token } = await accountSessions.start({
    accountId,
    address: await readVisitorAddress(),
    userAgent,
    replaces,
  });
  await sessionCookie.issue({ accountId, token });
}

/** Signs this browser out. Only for server actions. */
export async function endSession(): Promise<void> {
  const { accountSessions } = await getRuntime();
  const claims = await sessionCookie.read();
  if (claims !== null) await accountSessions.end(claims.token, await readVisitorAddress());
  await sessionCookie.end();
}

/** Returns the session of this browser, or null. Read once per request. */
export const getCurrentSession = cache(async (): Promise<AccountSession | null> => {
  const claims = await sessionCookie.read();
  if (claims === null) return null;
  const { accountSessions, trustedReads, now } = await getRuntime();
  const address = await readVisitorAddress();
  const session = await trustedReads.read(`session ${claims.token}`, () => accountSessions.find(claims.token, address));
  return session?.accountId === claims.accountId && session.expiresAtMs > now() ? session : null;
});

/** Whether the session has not ended, as the database says now: for what changes something. */
export async function isSessionAlive(): Promise<boolean> {
  const id = (await getCurrentSession())?.id ?? "";
  return (await (await getRuntime()).accountSessions.findAlive([id])).has(id);
}

const CONFIRMED_FOR_MS = 10 * MINUTE_MS;

/** Stores for ten minutes that the account's owner entered the password or used a passkey in this session. */
export async function rememberConfirmation(accountId: string): Promise<void> {
  const session = await getCurrentSession();
  if (session?.accountId === accountId) await (await getRuntime()).accountSessions.confirm(session.id);
}

/** Whether this account's owner was confirmed in this session within the last ten minutes. */
export async function isConfirmed(accountId: string): Promise<boolean> {
  const session = await getCurrentSession();
  if (session?.accountId !== accountId || session.confirmedAtMs === null) return false;
  return (await getRuntime()).now() - session.confirmedAtMs < CONFIRMED_FOR_MS;
}

/** Returns the signed-in account; null without a session or if the account is suspended. Read once per request. */
export const getSignedInAccount = cache(async (): Promise<Account | null> => {
  const session = await getCurrentSession();
  if (session === null) return null;
  const { accounts, trustedReads } = await getRuntime();
  const { accountId } = session;
  const account = await trustedReads.read(`account ${accountId}`, () => accounts.find(accountId));
  return account === null || account.suspendedAtMs !== null ? null : account;
});

/** The only page for an account without the second factor that this installation requires. */
export const ENROLMENT_PATH = "/account/second-factor";

/** Whether this installation requires a second factor of an account. */
export async function isSecondFactorRequired({ role }: Account): Promise<boolean> {
  const { requireSecondFactor } = (await getRuntime()).config;
  return requireSecondFactor === "everyone" || (requireSecondFactor === "operators" && role === "operator");
}

/** Returns the signed-in account; null also while it lacks a required second factor. Read once per request. */
export const getCurrentAccount = cache(async (): Promise<Account | null> => {
  const account = await getSignedInAccount();
  if (account === null || !(await isSecondFactorRequired(account))) return account;
  return (await hasSecondFactor(account.id)) ? account : null;
});

/** Whether the account has a second factor: an authenticator app, or a passkey, which is both factors. */
async function hasSecondFactor(accountId: string): Promise<boolean> {
  const { passkeys, secondFactors, trustedReads } = await getRuntime();
  const read = async () => (await secondFactors.state(accountId)) !== null || (await passkeys.has(accountId));
  return (await trustedReads.read(`second factor ${accountId}`, read)) === true;
}

/** The address that signs in and leads back to `here`, a path of this site. */
export const toSignInHref = (here: string): string => `/sign-in?next=${encodeURIComponent(here)}`;

/**
 * Returns the signed-in account. Other visitors are redirected to sign-in, and back to `here`, a path of this site; an
 * account without a required second factor to where it is set up.
 */
export async function requireAccount(here: string): Promise<Account> {
  const account = await getSignedInAccount();
  if (account === null) redirect(toSignInHref(here));
  if (here !== ENROLMENT_PATH && (await getCurrentAccount()) === null) redirect(ENROLMENT_PATH);
  return account;
}

/** Returns the signed-in operator. Other accounts get a 404. */
export async function requireOperator(here: string): Promise<Account> {
  const account = await requireAccount(here);
  if (account.role !== "operator") notFound();
  return account;
}
