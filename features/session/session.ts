import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { decode, encode } from "next-auth/jwt";
import { cache } from "react";
import { visitorAddress } from "@/features/session/visitor";
import type { Account } from "@/lib/access/accounts/accounts";
import { type AccountSession, SESSION_LIFE_MS } from "@/lib/access/sign-in/account-sessions";
import { getRuntime, type Runtime } from "@/lib/runtime";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Who is looking at the dashboard. The cookie holds an account's id and a session's token, encrypted; both are looked
 * up again for every page and action, so that a sign-out, a suspension or a change of plan acts at once, wherever it
 * was made.
 */
const SESSION_MAX_AGE_S = SESSION_LIFE_MS / 1_000;

function sessionCookie(runtime: Pick<Runtime, "config">) {
  const secure = runtime.config.url?.startsWith("https:") ?? false;
  return {
    // The prefix makes browsers refuse the cookie from anything but this host over TLS.
    name: secure ? "__Host-spotline-session" : "spotline-session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

/** What the cookie says, once it is decrypted. */
interface Claims {
  readonly sub: string;
  /** The session's token. */
  readonly sid: string;
}

async function findSession({ sub, sid }: Partial<Record<keyof Claims, unknown>>): Promise<AccountSession | null> {
  if (typeof sub !== "string" || typeof sid !== "string") return null;
  const session = await (await getRuntime()).accountSessions.find(sid, await visitorAddress());
  return session?.accountId === sub ? session : null;
}

async function readClaims(): Promise<Partial<Record<keyof Claims, unknown>>> {
  const { sessionSecret: secret, ...runtime } = await getRuntime();
  const token = (await cookies()).get(sessionCookie(runtime).name)?.value;
  // What cannot be decrypted was not written by this installation.
  return (token === undefined ? null : await decode({ token, secret }).catch(() => null)) ?? {};
}

/** Signs this browser in, and out of the session it had. Only for server actions, once it is certain who it is. */
export async function startSession(accountId: string): Promise<void> {
  const { accountSessions, sessionSecret: secret, ...runtime } = await getRuntime();
  const { sid } = await readClaims();
  const replaces = typeof sid === "string" ? sid : undefined;
  const userAgent = (await headers()).get("user-agent");
  const session = await accountSessions.start({ accountId, address: await visitorAddress(), userAgent, replaces });
  const claims: Claims = { sub: accountId, sid: session.token };
  const token = await encode({ token: { ...claims }, secret, maxAge: SESSION_MAX_AGE_S });
  const cookie = sessionCookie(runtime);
  (await cookies()).set(cookie.name, token, { ...cookie.options, maxAge: SESSION_MAX_AGE_S });
}

/** Signs this browser out. Only for server actions. */
export async function endSession(): Promise<void> {
  const { accountSessions, ...runtime } = await getRuntime();
  const { sid } = await readClaims();
  if (typeof sid === "string") await accountSessions.end(sid, await visitorAddress());
  const cookie = sessionCookie(runtime);
  (await cookies()).set(cookie.name, "", { ...cookie.options, maxAge: 0 });
}

/** The session of this browser, or null when it has none. Read once per request. */
export const currentSession = cache(async (): Promise<AccountSession | null> => findSession(await readClaims()));

const CONFIRMED_FOR_MS = 10 * MINUTE_MS;

/** Remembers for ten minutes that the account's password was given in this session. */
export async function rememberConfirmation(accountId: string): Promise<void> {
  const session = await currentSession();
  if (session?.accountId === accountId) await (await getRuntime()).accountSessions.confirm(session.id);
}

/** Whether this account's password was given in this session within the last ten minutes. */
export async function isConfirmed(accountId: string): Promise<boolean> {
  const session = await currentSession();
  if (session?.accountId !== accountId || session.confirmedAtMs === null) return false;
  return (await getRuntime()).now() - session.confirmedAtMs < CONFIRMED_FOR_MS;
}

/** The signed-in account, or null when there is none or it is suspended. Read once per request. */
export const currentAccount = cache(async (): Promise<Account | null> => {
  const session = await currentSession();
  if (session === null) return null;
  const account = await (await getRuntime()).accounts.find(session.accountId);
  return account === null || account.suspendedAtMs !== null ? null : account;
});

/** The signed-in account; anyone else is sent to sign in and comes back to `here`, a path of this site. */
export async function requireAccount(here: string): Promise<Account> {
  const account = await currentAccount();
  if (account === null) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  return account;
}
