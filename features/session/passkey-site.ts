import { isIP } from "node:net";
import { headers } from "next/headers";
import { findOriginHost } from "@/features/session/own-origin";
import type { PasskeySite } from "@/lib/access/sign-in/passkeys";
import { isKnownHost } from "@/lib/platform/known-host";
import { getRuntime } from "@/lib/runtime";

/**
 * Returns where this site's passkeys are valid; null if browsers allow none: they need a host name, and HTTPS except at
 * localhost. Without a configured address, the site is the host that the request names, if it is known.
 */
export function findPasskeySite(configuredUrl: string | null | undefined, host: string | null): PasskeySite | null {
  const text = configuredUrl ?? (isKnownHost(host, null) ? `http://${host}` : "");
  if (!URL.canParse(text)) return null;
  const { origin, hostname, protocol } = new URL(text);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || (protocol !== "https:" && !isLocal)) return null;
  return { host: hostname, origin };
}

/** Returns where passkeys are valid for this request, or null. */
export async function readPasskeySite(): Promise<PasskeySite | null> {
  const { config } = await getRuntime();
  const head = await headers();
  return findPasskeySite(config.url, head.get("host")) ?? findPasskeySite(config.url, findOriginHost(head));
}
