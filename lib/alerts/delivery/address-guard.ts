import { lookup as lookupHost } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { AccessError } from "@/lib/access/access-error";

/**
 * Webhooks must not reach the network of the server: anyone with an account chooses their addresses. A name is resolved
 * once, all its addresses are checked, and the connection goes to one that was checked.
 */

/** Resolves a name into addresses, as dns.lookup does. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface Target {
  readonly address: string;
  readonly family: number;
}

const MAX_URL_LENGTH = 2_000;

const systemLookup: Lookup = (host) => lookupHost(host, { all: true });

/** Whether an address is on the public internet: not private, loopback, link-local, shared, reserved or a translation. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  return ipaddr.process(text).range() === "unicast";
}

/** Checks the address of a webhook as far as its text tells. Returns it normalised, or throws an AccessError. */
export function checkWebhookUrl(text: string, isPrivateAllowed: boolean): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) {
    throw new AccessError("invalid_url", "Enter an address such as https://example.com/alerts.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AccessError("invalid_url", "The address must not have a user name or a password.");
  }
  if (isPrivateAllowed) return toText(url);
  if (url.protocol !== "https:") throw new AccessError("invalid_url", "The address must begin with https://.");
  const host = readHost(url);
  if (/(^|\.)localhost\.?$/i.test(host) || (isIP(host) !== 0 && !isPublicAddress(host))) {
    throw new AccessError("invalid_url", "The address must be on the public internet.");
  }
  return toText(url);
}

/** A fragment is never sent. */
function toText(url: URL): string {
  url.hash = "";
  return url.href;
}

/** The name or the address of a URL, without the brackets of IPv6. */
export function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** Finds the address to connect to. Throws an Error for the log if the host cannot be found or is not public. */
export async function resolveTarget(
  url: URL,
  { isPrivateAllowed, lookup = systemLookup }: { readonly isPrivateAllowed: boolean; readonly lookup?: Lookup },
): Promise<Target> {
  const host = readHost(url);
  const found = isIP(host) === 0 ? await lookup(host).catch(() => []) : [{ address: host, family: isIP(host) }];
  const [first] = found;
  if (first === undefined) throw new Error("The host name cannot be resolved.");
  if (!isPrivateAllowed && !found.every(({ address }) => isPublicAddress(address))) {
    throw new Error("The host has an address that is not on the public internet.");
  }
  return first;
}
