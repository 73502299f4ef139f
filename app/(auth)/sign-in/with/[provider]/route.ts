import { authorizationRequest } from "@/features/sign-in/next-auth";
import { safeNextPath } from "@/features/sign-in/next-path";
import { providerNames } from "@/features/sign-in/providers";
import { started } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

/**
 * Sends the browser to a provider. A link and not a form, as the content-security policy lets no form lead elsewhere;
 * whoever makes somebody else follow it gets them signed in as themselves, and no further.
 */
export async function GET(request: Request, { params }: { params: Promise<{ provider: string }> }): Promise<Response> {
  const { provider } = await params;
  const { config } = await getRuntime();
  if (providerNames(config.providers).every(({ id }) => id !== provider)) return new Response(null, { status: 404 });
  const asked = new URL(request.url).searchParams;
  const next = safeNextPath(asked.get("next"));
  const purpose = asked.get("for") === "confirm" ? "confirm" : "sign-in";
  // A secret is as long as it is made; what is longer is none, and would make the cookie too long to keep.
  const invitation = asked.get("invitation")?.slice(0, 64);
  // Whom the provider remembers need not be who is sitting there.
  const again: Record<string, string> = purpose === "confirm" ? { prompt: "login", max_age: "0" } : {};
  const authorization = await authorizationRequest(provider, again);
  if (authorization === null) return leave("/sign-in?error=provider", []);
  await started.issue({ provider, purpose, next, invitation });
  return leave(authorization.location, authorization.cookies);
}

function leave(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 302, headers });
}
