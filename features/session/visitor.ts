import { headers } from "next/headers";
import { findOriginHost, isFromOwnOrigin } from "@/features/session/own-origin";
import { isNamedCaller, parseRangeLines } from "@/lib/access/allow-list";
import { isKnownHost } from "@/lib/platform/known-host";
import { getRuntime } from "@/lib/runtime";

/**
 * Reads the visitor's address as our own server sets it, or the name that stands for it; null under another server, where
 * the header may be forged.
 */
export async function readVisitorAddress(): Promise<string | null> {
  const { behindOwnServer } = await getRuntime();
  const address = behindOwnServer ? (await headers()).get("x-forwarded-for") : null;
  if (address !== null && isNamedCaller(address)) return address;
  const range = address === null ? undefined : parseRangeLines([address]).cidrs[0];
  return range?.replace(/\/(32|128)$/, "") ?? null;
}

/** Reads the visitor's address for an allow-list; null if it is not known. */
export async function readAllowedAddress(): Promise<string | null> {
  const address = await readVisitorAddress();
  return address === null || isNamedCaller(address) ? null : address;
}

/** Throws unless a page of this site sent the request. The proxy checks the same; actions do not rely on it. */
export async function requireOwnOrigin(): Promise<void> {
  const { config } = await getRuntime();
  if (!isFromOwnOrigin(await headers(), config.url)) {
    throw new Error("An action was refused: it did not come from a page of this site.");
  }
}

/** Returns the origin of the API for this visitor: "https://prices.example.com". */
export async function readApiOrigin(): Promise<string> {
  const { config } = await getRuntime();
  const head = await headers();
  const originHost = findOriginHost(head);
  const host = isKnownHost(originHost, null) ? originHost : head.get("host");
  return (config.url ?? `http://${host ?? "localhost"}`).replace(/\/$/, "");
}
