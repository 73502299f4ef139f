import nextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { createNextAuthOptions } from "@/features/sign-in/next-auth";
import { listProviders } from "@/features/sign-in/providers";
import { finishSignIn, refuseSignIn } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

/**
 * The callback of identity providers. No other route of NextAuth is open: it handles neither sessions nor passwords.
 */
export async function GET(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  const [action, provider, ...more] = (await context.params).nextauth;
  const { config, log } = await getRuntime();
  const isConfigured = listProviders(config.providers).some(({ id }) => id === provider);
  if (action !== "callback" || !isConfigured || more.length > 0) return new Response(null, { status: 404 });
  const finishOrReport: typeof finishSignIn = async (profile, id) => {
    try {
      return await finishSignIn(profile, id);
    } catch (error) {
      log.error({ err: error }, "sign-in with a provider failed");
      return refuseSignIn("provider");
    }
  };
  const answer: Response = await nextAuth(request, context, await createNextAuthOptions(finishOrReport));
  const headers = new Headers(answer.headers);
  // NextAuth's own redirects are absolute URLs to its error pages, which reveal too much.
  if (headers.get("Location")?.startsWith("/") !== true) headers.set("Location", await refuseSignIn("provider"));
  headers.set("Cache-Control", "no-store");
  return new Response(null, { status: 302, headers });
}
