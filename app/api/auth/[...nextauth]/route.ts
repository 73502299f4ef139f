import type { NextRequest } from "next/server";
import nextAuth from "next-auth";
import { nextAuthOptions } from "@/features/sign-in/next-auth";
import { providerNames } from "@/features/sign-in/providers";
import { finish } from "@/features/sign-in/single-sign-on";
import { getRuntime } from "@/lib/runtime";

/** Where providers send people back to. Nothing else of NextAuth's is open: sessions and passwords are not its part. */
export async function GET(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  const [action, provider, ...more] = (await context.params).nextauth;
  const { config, log } = await getRuntime();
  const isKnown = providerNames(config.providers).some(({ id }) => id === provider);
  if (action !== "callback" || !isKnown || more.length > 0) return new Response(null, { status: 404 });
  const guarded: typeof finish = async (told, id) => {
    try {
      return await finish(told, id);
    } catch (error) {
      log.error({ err: error }, "a sign-in with a provider failed");
      return "/sign-in?error=provider";
    }
  };
  const answer: Response = await nextAuth(request, context, await nextAuthOptions(guarded));
  const headers = new Headers(answer.headers);
  // NextAuth's own ways out are whole addresses, of pages that say too much.
  if (headers.get("Location")?.startsWith("/") !== true) headers.set("Location", "/sign-in?error=provider");
  headers.set("Cache-Control", "no-store");
  return new Response(null, { status: 302, headers });
}
