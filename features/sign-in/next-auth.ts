import type { NextApiRequest, NextApiResponse } from "next";
import nextAuth, { type AuthOptions } from "next-auth";
import { nextAuthProviders, type Told } from "@/features/sign-in/providers";
import { getRuntime } from "@/lib/runtime";

/**
 * NextAuth does the part of signing in that happens between this site and a provider: state, nonce, PKCE, the exchange
 * of the code, and the checks of what comes back. It makes no sessions: `finish` decides what the answer is worth.
 */

/** Where to go, a path of this site, now that the provider has told who this is. */
type Finish = (told: Told, providerId: string) => Promise<string>;

export async function nextAuthOptions(finish: Finish): Promise<AuthOptions> {
  const { config, sessionSecret: secret, log } = await getRuntime();
  return {
    secret,
    providers: nextAuthProviders(config.providers),
    useSecureCookies: config.url?.startsWith("https:") ?? false,
    callbacks: {
      async signIn({ user, account }) {
        // What `profile` of the provider made, but that NextAuth leaves out an address that is not there.
        const told = user as unknown as Omit<Told, "email"> & { email?: string };
        return finish({ ...told, email: told.email ?? null }, account?.provider ?? "");
      },
    },
    logger: {
      // Only messages: the details hold tokens.
      error: (code, details) => log.warn({ code, reason: reasonIn(details) }, "a sign-in with a provider failed"),
      warn: (code) => log.debug({ code }, "NextAuth warns"),
      debug: () => {},
    },
  };
}

function reasonIn(details: unknown): string | undefined {
  const error = details instanceof Error ? details : (details as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? error.message : undefined;
}

/**
 * Starts signing in with a provider: the address to send the browser to, and the cookies it must bring back. Null where
 * the provider cannot be reached. `asked` are further parameters of the request.
 */
export async function authorizationRequest(
  providerId: string,
  asked: Readonly<Record<string, string>>,
): Promise<{ location: string; cookies: string[] } | null> {
  const options = await nextAuthOptions(async () => "/sign-in");
  // NextAuth starts only on a form that carries its own token. Ours is not a form, and nothing is to be gained by
  // making somebody start: the token is fetched and handed back in their name.
  const token = await ask(options, { method: "GET", query: { nextauth: ["csrf"] } });
  const { csrfToken } = token.body as { csrfToken: string };
  const csrfCookies = Object.fromEntries(token.cookies.map(readCookie));
  const started = await ask(options, {
    method: "POST",
    query: { nextauth: ["signin", providerId], ...asked },
    cookies: csrfCookies,
    body: { csrfToken },
  });
  const { location } = started;
  // On failure it leads to an error page of its own.
  if (location === null || new URL(location).searchParams.get("client_id") === null) return null;
  return { location, cookies: started.cookies };
}

function readCookie(header: string): [name: string, value: string] {
  const [pair = ""] = header.split(";");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
}

/** One question to NextAuth's handler, and what it would have answered over HTTP. */
async function ask(options: AuthOptions, request: Pick<NextApiRequest, "query"> & Partial<NextApiRequest>) {
  const answer = { body: null as unknown, location: null as string | null, cookies: [] as string[] };
  const response = {
    status: () => response,
    getHeader: () => answer.cookies,
    setHeader(name: string, value: string | string[]) {
      if (name === "Set-Cookie") answer.cookies = [value].flat();
      if (name === "Location") answer.location = String(value);
      return response;
    },
    json: (body: unknown) => void (answer.body = body),
    send: (body: unknown) => void (answer.body = body),
    end: () => {},
  };
  await nextAuth(
    { headers: {}, cookies: {}, ...request } as NextApiRequest,
    response as unknown as NextApiResponse,
    options,
  );
  return answer;
}
