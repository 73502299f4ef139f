import { redirect } from "next/navigation";
import { startSession } from "@/features/session/session";
import { ticketCookie } from "@/features/session/ticket-cookie";
import { visitorAddress } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/account";
import type { ProviderIdentity } from "@/lib/access/accounts/identities";
import { getRuntime } from "@/lib/runtime";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * What lies between proving who one is and being signed in, whichever way it was proved: an account with a second
 * factor is asked for a code. Until then the browser holds a ticket, which opens nothing but the page that asks.
 */

interface Proved {
  readonly accountId: string;
  /** Where to go once signed in, a path of this site. */
  readonly next: string;
  /** What the account is to be linked with, once it is certain whose it is. */
  readonly link?: ProviderIdentity;
}

const secondStep = ticketCookie<Proved>("second-step", 5 * MINUTE_MS);

/** Who is asked for a code, or null when nobody is, or no longer. */
export const askedForCode = secondStep.read;

export const SUSPENDED = "This account is suspended. Ask the operator of this installation.";

/**
 * Signs in whoever has proved to own the account, or asks for their second factor first; then leads to `next`. Resolves
 * only with a sentence that says why not. For server actions.
 */
export async function admit({ id, suspendedAtMs }: Account, next: string, link?: ProviderIdentity): Promise<string> {
  if (suspendedAtMs !== null) return SUSPENDED;
  redirect(await admission({ accountId: id, next, ...(link === undefined ? {} : { link }) }));
}

/** The same for an account that is not suspended: where to go from here. For server actions and route handlers. */
export async function admission(proved: Proved): Promise<string> {
  const { secondFactors } = await getRuntime();
  if ((await secondFactors.state(proved.accountId)) === null) return enter(proved);
  await secondStep.issue(proved);
  return "/sign-in/code";
}

/** Signs in, now that nothing is left to prove, and tells where to go. For server actions and route handlers. */
export async function enter({ accountId, next, link }: Proved): Promise<string> {
  const { identities } = await getRuntime();
  if (link !== undefined) await identities.link(link, { kind: "owner", accountId, address: await visitorAddress() });
  await startSession(accountId);
  await secondStep.end();
  return next;
}
