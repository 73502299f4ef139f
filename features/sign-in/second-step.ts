import { randomUUID } from "node:crypto";
import { redirect } from "next/navigation";
import { isSecondFactorRequired, startSession } from "@/features/session/session";
import { createTicketCookie } from "@/features/session/ticket-cookie";
import { readVisitorAddress } from "@/features/session/visitor";
import { AccessError } from "@/lib/access/access-error";
import type { Account } from "@/lib/access/accounts/account";
import type { ProviderIdentity } from "@/lib/access/accounts/identities";
import { getRuntime } from "@/lib/runtime";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * The step between the proof of identity and the session, for passwords and providers: an account with a second factor
 * must enter a code or use a passkey. Until then the browser has a ticket that opens only the page for that.
 */

interface Proved {
  readonly accountId: string;
  /** Where to go once signed in, a path of this site. */
  readonly next: string;
  /** The identity to link, once the caller is confirmed. */
  readonly link?: ProviderIdentity;
}

const secondStep = createTicketCookie<Proved>("second-step", 5 * MINUTE_MS);

/** Reads the caller who must enter a code; null if there is none or the ticket has expired. */
export const readProvedCaller = secondStep.read;

/** Throws an AccessError for a suspended account, and logs the refused sign-in. For server actions. */
export async function requireNotSuspended({ id, suspendedAtMs }: Account): Promise<void> {
  if (suspendedAtMs === null) return;
  const { refusedSignIns } = await getRuntime();
  refusedSignIns.report({ reason: "suspended", address: await readVisitorAddress(), accountId: id });
  throw new AccessError("account_suspended", "This account is suspended. Ask the operator of this installation.");
}

/**
 * Signs the account's owner in and redirects to `next`, or to the second factor first. For server actions. Rejects with
 * an AccessError for a suspended account.
 */
export async function admit(account: Account, next: string, link?: ProviderIdentity): Promise<never> {
  await requireNotSuspended(account);
  redirect(await enterOrAskForCode({ accountId: account.id, next, ...(link === undefined ? {} : { link }) }));
}

/** The same for an account that is not suspended. Returns the path to go to. For server actions and route handlers. */
export async function enterOrAskForCode(proved: Proved): Promise<string> {
  const { hasApp, needsPasskey } = await readSecondFactors(proved.accountId);
  if (!hasApp && !needsPasskey) return enter(proved);
  await secondStep.issue(proved);
  return "/sign-in/code";
}

/** What an account can use as its second step, and whether it needs one. */
export async function readSecondFactors(accountId: string) {
  const { accounts, passkeys, secondFactors } = await getRuntime();
  const hasApp = (await secondFactors.state(accountId)) !== null;
  const hasPasskey = await passkeys.has(accountId);
  const account = hasPasskey && !hasApp ? await accounts.find(accountId) : null;
  // Otherwise the password alone would get past the required second factor.
  const needsPasskey = account !== null && (await isSecondFactorRequired(account));
  return { hasApp, hasPasskey, needsPasskey };
}

/** Signs in a caller who is fully confirmed. Returns the path to go to. For server actions and route handlers. */
export async function enter({ accountId, next, link }: Proved): Promise<string> {
  const { identities } = await getRuntime();
  if (link !== undefined)
    await identities.link(link, { kind: "owner", accountId, address: await readVisitorAddress() });
  await startSession(accountId);
  await secondStep.end();
  return next;
}

/** The id of a browser that signs in with a passkey. A challenge is valid only in the browser that requested it. */
const browserCookie = createTicketCookie<{ readonly id: string }>("passkey", DAY_MS);

/** Reads the id of this browser; null if it has requested no challenge. */
export async function readPasskeyBrowser(): Promise<string | null> {
  return (await browserCookie.read())?.id ?? null;
}

/** Returns the id of this browser, or a new one. The same in all its tabs. For route handlers. */
export async function issuePasskeyBrowser(): Promise<string> {
  const id = (await readPasskeyBrowser()) ?? randomUUID();
  await browserCookie.issue({ id });
  return id;
}
