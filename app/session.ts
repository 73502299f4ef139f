import { getServerSession, type AuthOptions } from "next-auth";
import { decode, encode } from "next-auth/jwt";
import credentials from "next-auth/providers/credentials";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import type { Account } from "@/lib/access/accounts";
import { getRuntime, type Runtime } from "@/lib/runtime";

/**
 * Who is looking at the dashboard. The cookie holds nothing but the account's id, encrypted; the account itself is
 * read again for every page and action, so that a suspension or a change of plan acts at once.
 */
declare module "next-auth" {
  interface Session {
    accountId?: string;
  }
}

const SESSION_MAX_AGE_S = 14 * 86_400;

function sessionCookie(runtime: Pick<Runtime, "config">) {
  const secure = runtime.config.url?.startsWith("https:") ?? false;
  return {
    // The prefix makes browsers refuse the cookie from anything but this host over TLS.
    name: secure ? "__Host-spotline-session" : "spotline-session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure } as const,
  };
}

/** NextAuth's settings. Built on demand: the secret comes from the running installation. */
export async function authOptions(): Promise<AuthOptions> {
  const runtime = await getRuntime();
  const cookie = sessionCookie(runtime);
  return {
    secret: runtime.sessionSecret,
    session: { strategy: "jwt", maxAge: SESSION_MAX_AGE_S },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    useSecureCookies: cookie.options.secure,
    cookies: { sessionToken: cookie },
    providers: [
      credentials({
        credentials: { email: { type: "email" }, password: { type: "password" } },
        async authorize(given) {
          const account = await runtime.accounts.authenticate(given?.email ?? "", given?.password ?? "");
          return account === null || account.suspendedAtMs !== null ? null : { id: account.id };
        },
      }),
    ],
    callbacks: {
      jwt: ({ token, user }) => ({ sub: user?.id ?? token.sub }),
      session: ({ session, token }) => ({ expires: session.expires, accountId: token.sub }),
    },
  };
}

/** Signs this browser in. Only for server actions, after the password has been checked. */
export async function startSession(accountId: string): Promise<void> {
  const runtime = await getRuntime();
  const cookie = sessionCookie(runtime);
  const token = await encode({
    token: { sub: accountId },
    secret: runtime.sessionSecret,
    maxAge: SESSION_MAX_AGE_S,
  });
  (await cookies()).set(cookie.name, token, { ...cookie.options, maxAge: SESSION_MAX_AGE_S });
}

/** Signs this browser out. Only for server actions. */
export async function endSession(): Promise<void> {
  const cookie = sessionCookie(await getRuntime());
  const jar = await cookies();
  for (const name of [cookie.name, confirmedName(cookie)]) jar.set(name, "", { ...cookie.options, maxAge: 0 });
}

/** A name of its own: NextAuth takes every cookie whose name begins with the session's for a piece of the session. */
function confirmedName({ name }: { name: string }): string {
  return name.replace("session", "confirmed");
}

const CONFIRMED_MAX_AGE_S = 10 * 60;
/** Makes the key of these cookies another than the session's, so that neither can stand in for the other. */
const CONFIRMED_SALT = "spotline-confirmed";

/** Remembers for ten minutes that this account's password was given in this browser. Only for server actions. */
export async function rememberConfirmation(accountId: string): Promise<void> {
  const { sessionSecret: secret, ...runtime } = await getRuntime();
  const cookie = sessionCookie(runtime);
  const maxAge = CONFIRMED_MAX_AGE_S;
  const token = await encode({ token: { sub: accountId }, secret, salt: CONFIRMED_SALT, maxAge });
  (await cookies()).set(confirmedName(cookie), token, { ...cookie.options, maxAge });
}

/** Whether this account's password was given in this browser within the last ten minutes. */
export async function isConfirmed(accountId: string): Promise<boolean> {
  const { sessionSecret: secret, ...runtime } = await getRuntime();
  const token = (await cookies()).get(confirmedName(sessionCookie(runtime)))?.value;
  if (token === undefined) return false;
  const confirmed = await decode({ token, secret, salt: CONFIRMED_SALT }).catch(() => null);
  return confirmed?.sub === accountId;
}

/** The signed-in account, or null when there is none or it is suspended. Read once per request. */
export const currentAccount = cache(async (): Promise<Account | null> => {
  const session = await getServerSession(await authOptions());
  if (!session?.accountId) return null;
  const account = await (await getRuntime()).accounts.find(session.accountId);
  return account === null || account.suspendedAtMs !== null ? null : account;
});

/** The signed-in account; anyone else is sent to sign in and comes back to `here`, a path of this site. */
export async function requireAccount(here: string): Promise<Account> {
  const account = await currentAccount();
  if (account === null) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  return account;
}
