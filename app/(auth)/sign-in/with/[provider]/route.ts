import { startAuthorization } from "@/features/sign-in/next-auth";
import { toSafeNextPath } from "@/features/sign-in/next-path";
import { listProviders } from "@/features/sign-in/providers";
import { startedSignIn } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

/**
 * Redirects the browser to a provider. A GET, because the content-security policy forbids forms that lead to another
 * site. If another site makes a visitor follow it, the visitor is only signed in to their own account.
 */
export async function GET(request: Request, context: { params: Promise<{ provider: string }> }): Promise<Response> {
  const { provider } = await context.params;
  const { config } = await getRuntime();
  if (listProviders(config.providers).every(({ id }) => id !== provider)) return new Response(null, { status: 404 });
  const params = new URL(request.url).searchParams;
  const next = toSafeNextPath(params.get("next"));
  const purpose = params.get("for") === "confirm" ? "confirm" : "sign-in";
  // Secrets are shorter, and a longer text would make the cookie too large.
  const invitation = params.get("invitation")?.slice(0, 64);
  const setupCode = params.get("setup")?.slice(0, 64);
  // The provider may remember another person than the one at the browser.
  const again: Record<string, string> = purpose === "confirm" ? { prompt: "login", max_age: "0" } : {};
  const authorization = await startAuthorization(provider, again);
  if (authorization === null) return leave("/sign-in?error=provider", []);
  await startedSignIn.issue({ provider, purpose, next, invitation, setupCode });
  return leave(authorization.location, authorization.cookies);
}

function leave(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 302, headers });
}
