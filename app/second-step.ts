import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { startSession } from "@/app/session";
import type { Account } from "@/lib/access/accounts";
import { createTickets } from "@/lib/access/tickets";
import { getRuntime } from "@/lib/runtime";

/**
 * What lies between proving who one is and being signed in, whichever way it was proved: an account with a second
 * factor is asked for a code. Until then the browser holds a ticket, which opens nothing but the page that asks.
 */

interface Proved {
  readonly accountId: string;
  /** Where to go once signed in, a path of this site. */
  readonly next: string;
}

const LIFE_MS = 5 * 60_000;

async function ticketCookie() {
  const { config, sessionSecret: secret, now } = await getRuntime();
  const secure = config.url?.startsWith("https:") ?? false;
  return {
    name: secure ? "__Host-spotline-second-step" : "spotline-second-step",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
    tickets: createTickets<Proved>({ secret, purpose: "second step", now, lifeMs: LIFE_MS }),
  };
}

export const SUSPENDED = "This account is suspended. Ask the operator of this installation.";

/**
 * Signs in whoever has proved to own the account, or asks for their second factor first; then leads to `next`. Resolves
 * only with a sentence that says why not. For server actions and route handlers.
 */
export async function admit({ id, suspendedAtMs }: Account, next: string): Promise<string> {
  if (suspendedAtMs !== null) return SUSPENDED;
  redirect(await admission(id, next));
}

/** The same for an account that is not suspended: where to go from here. */
export async function admission(accountId: string, next: string): Promise<string> {
  const { secondFactors } = await getRuntime();
  if ((await secondFactors.state(accountId)) === null) {
    await startSession(accountId);
    return next;
  }
  const { name, options, tickets } = await ticketCookie();
  (await cookies()).set(name, tickets.issue({ accountId, next }), { ...options, maxAge: LIFE_MS / 1_000 });
  return "/sign-in/code";
}

/** Who is asked for a code, or null when nobody is, or no longer. */
export async function askedForCode(): Promise<Proved | null> {
  const { name, tickets } = await ticketCookie();
  const ticket = (await cookies()).get(name)?.value;
  return ticket === undefined ? null : tickets.read(ticket);
}

/** Ends the asking. Only for server actions. */
export async function endSecondStep(): Promise<void> {
  const { name, options } = await ticketCookie();
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}
