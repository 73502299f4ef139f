import type { NextApiRequest, NextApiResponse } from "next";
import nextAuth, { type AuthOptions } from "next-auth";
import { createProviders, type ProviderProfile } from "@/features/sign-in/providers";
import { getRuntime } from "@/lib/runtime";

/**
 * NextAuth handles the protocol between this site and a provider: state, nonce, PKCE, the exchange of the code and the
 * checks of the reply. It creates no sessions: `finish` decides what happens next.
 */

/** Called when the provider has identified the caller. Returns the path to go to. */
type Finish = (profile: ProviderProfile, providerId: string) => Promise<string>;

export async function createNextAuthOptions(finish: Finish): Promise<AuthOptions> {
  const { config, sessionSecret: secret, log } = await getRuntime();
  return {
    secret,
    providers: createProviders(config.providers),
    useSecureCookies: config.url?.startsWith("https:") ?? false,
    callbacks: {
      async signIn({ user, account }) {
        // The result of the provider's `profile`, except that NextAuth leaves out a missing address.
        const profile = user as unknown as Omit<ProviderProfile, "email"> & { email?: string };
        return finish({ ...profile, email: profile.email ?? null }, account?.provider ?? "");
      },
    },
    logger: {
      // Only messages, because the details include tokens.
      error: (code, details) => log.warn({ code, reason: readReason(details) }, "sign-in with a provider failed"),
      warn: (code) => log.debug({ code }, "NextAuth warned"),
      debug: () => {},
    },
  };
}

function readReason(details: unknown): string | undefined {
  const error = details instanceof Error ? details : (details as { error?: unknown } | undefined)?.error;
  return error instanceof Error ? error.message : undefined;
}

/**
 * Starts a sign-in with a provider. Returns the address to send the browser to and the cookies that it must bring back;
 * null if the provider cannot be reached. `params` are added to the request.
 */
export async function startAuthorization(
  providerId: string,
  params: Readonly<Record<string, string>>,
): Promise<{ location: string; cookies: string[] } | null> {
  const options = await createNextAuthOptions(async () => "/sign-in");
  // NextAuth starts only from a form with its own token. A link starts a sign-in here, which does no harm if another
  // site makes a visitor follow it. So this code fetches the token and sends it back.
  const token = await callNextAuth(options, { method: "GET", query: { nextauth: ["csrf"] } });
  const { csrfToken } = token.body as { csrfToken: string };
  const csrfCookies = Object.fromEntries(token.cookies.map(readCookie));
  const started = await callNextAuth(options, {
    method: "POST",
    query: { nextauth: ["signin", providerId], ...params },
    cookies: csrfCookies,
    body: { csrfToken },
  });
  const { location } = started;
  // On failure the location is NextAuth's own error page.
  if (location === null || new URL(location).searchParams.get("client_id") === null) return null;
  return { location, cookies: started.cookies };
}

function readCookie(header: string): [name: string, value: string] {
  const [pair = ""] = header.split(";");
  const at = pair.indexOf("=");
  return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))];
}

/** Calls NextAuth's handler and returns what it would have answered over HTTP. */
async function callNextAuth(options: AuthOptions, request: Pick<NextApiRequest, "query"> & Partial<NextApiRequest>) {
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
