import { lookup as lookupHost } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { AccessError } from "@/lib/access/access-error";

/**
 * Webhooks must not reach the network of the server: anyone with an account chooses their addresses. A name is resolved
 * once, all its addresses are checked, and the connection goes to one that was checked.
 */

/** What the operator allows. */
export interface WebhookRules {
  /** Whether http, and addresses of the own network, are allowed. */
  readonly isPrivateAllowed: boolean;
  /** The ports that are allowed; null for all. */
  readonly ports: ReadonlySet<number> | null;
}

/** Resolves a name into addresses, as dns.lookup does. */
export type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface Target {
  readonly address: string;
  readonly family: number;
}

const MAX_URL_LENGTH = 2_000;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

const systemLookup: Lookup = (host) => lookupHost(host, { all: true });

/** IANA IPv4 Special-Purpose Address Registry, and multicast. */
const IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** What is assigned to networks. All else is special, reserved or holds IPv4: mapped, NAT64, link-local, multicast. */
const GLOBAL_UNICAST = "2000::/3";
/** IANA IPv6 Special-Purpose Address Registry within it: protocols with Teredo, documentation, 6to4, AS112. */
const IPV6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

function listNetworks(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const special4 = listNetworks(IPV4, "ipv4");
const special6 = listNetworks(IPV6, "ipv6");
const global6 = listNetworks([GLOBAL_UNICAST], "ipv6");

/** Whether an address, without a zone, is on the public internet: in no special-purpose range, and no IPv4 inside IPv6. */
export function isPublicAddress(text: string): boolean {
  const family = isIP(text);
  if (family === 4) return !special4.check(text, "ipv4");
  return family === 6 && !text.includes("%") && global6.check(text, "ipv6") && !special6.check(text, "ipv6");
}

/** Checks the address of a webhook as far as its text tells. Returns it normalised, or throws an AccessError. */
export function checkWebhookUrl(text: string, rules: WebhookRules): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || text.length > MAX_URL_LENGTH || !/^https?:$/.test(url.protocol)) {
    throw new AccessError("invalid_url", "Enter an address such as https://example.com/alerts.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new AccessError("invalid_url", "The address must not have a user name or a password.");
  }
  const fault = findFault(url, rules);
  if (fault !== null) throw new AccessError("invalid_url", fault);
  // A fragment is never sent.
  url.hash = "";
  return url.href;
}

/** Returns a sentence about what the operator does not allow; null if the text of the address shows nothing of it. */
function findFault(url: URL, { isPrivateAllowed, ports }: WebhookRules): string | null {
  if (url.protocol !== "https:" && !isPrivateAllowed) return "The address must begin with https://.";
  const port = url.port === "" ? (url.protocol === "https:" ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  if (ports !== null && !ports.has(port)) return `The port must be one of ${[...ports].join(", ")}.`;
  const host = readHost(url);
  const isOwn = /(^|\.)localhost$/i.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  return isOwn && !isPrivateAllowed ? "The address must be on the public internet." : null;
}

/** The name without the dot at its end, or the address without the brackets of IPv6, of a URL. */
export function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

/**
 * Finds the address to connect to. Throws an AccessError if the text of the URL is not allowed any more, and an Error for
 * the log, which its owner must not see, if what the name stands for is not, or the host cannot be found.
 */
export async function resolveTarget(url: URL, rules: WebhookRules, lookup = systemLookup): Promise<Target> {
  const fault = findFault(url, rules);
  if (fault !== null) throw new AccessError("invalid_url", fault);
  const host = readHost(url);
  const found = isIP(host) === 0 ? await lookup(host).catch(() => []) : [{ address: host, family: isIP(host) }];
  const [first] = found;
  if (first === undefined) throw new Error("The host name cannot be resolved.");
  if (!rules.isPrivateAllowed && !found.every(({ address }) => isPublicAddress(address))) {
    throw new Error("The host has an address that is not on the public internet.");
  }
  return first;
}
