import { createHash, randomFillSync } from "node:crypto";
import { type BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";

/** The headers in which proxies tell the address of a client, as they came, repeated ones joined by commas. */
export interface ForwardingHeaders {
  readonly forwardedFor: string | undefined;
  /** `Forwarded` of RFC 7239, which is read only without X-Forwarded-For: few proxies set both. */
  readonly forwarded: string | undefined;
}

/**
 * Finds the address of the client. It is the socket's address, unless a trusted proxy connected. Each proxy appends the
 * address that it saw to X-Forwarded-For, or to Forwarded, and entries further left come from the client and are never
 * trusted. So the client's address is the n-th entry from the right if the number of proxies is known, else the last one
 * that is not a proxy's.
 *
 * @returns an address as text, IPv4 also where it was written as IPv6; a name that begins with "_", the same for the same
 * entry, if the entry is no address; null if the header has fewer entries than there are proxies, or says "unknown"
 */
export function findClientAddress(
  socketAddress: string | undefined,
  { forwardedFor, forwarded }: ForwardingHeaders,
  proxies: TrustedProxies,
): string | null {
  const header = forwardedFor ?? forwarded;
  if (header === undefined || !isTrustedProxy(socketAddress, proxies)) {
    if (socketAddress?.includes(":") === true) return readAddress(socketAddress);
    return socketAddress ?? null;
  }
  const read = forwardedFor === undefined ? readForwardedEntry : readEntry;
  // Entries of trusted proxies have no comma inside, so what a client quotes cannot reach into them.
  const hops = header.split(",");
  const { count, addresses } = proxies;
  if (count > 0) {
    const hop = hops[hops.length - count];
    return hop === undefined ? report(header, proxies) : nameEntry(hop, read, proxies);
  }
  // A client in a network of proxies has only trusted entries. The first is the one furthest from the server.
  for (let at = hops.length - 1; at >= 0; at--) {
    const hop = hops[at] as string;
    const address = read(hop);
    if (at === 0 || address === null || addresses === null || !contains(addresses, address))
      return address ?? nameEntry(hop, read, proxies);
  }
  return null;
}

/** Whether the forwarding headers of a connection from this address are believed. */
export function isTrustedProxy(socketAddress: string | undefined, { count, addresses }: TrustedProxies): boolean {
  if (addresses === null) return count > 0;
  return socketAddress !== undefined && contains(addresses, socketAddress);
}

function contains(addresses: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && addresses.check(address, family === 4 ? "ipv4" : "ipv6");
}

type ReadEntry = (entry: string) => string | null;

/** Returns the address of an entry, or a name for it, so that callers without an address are not all one caller. */
function nameEntry(entry: string, read: ReadEntry, proxies: TrustedProxies): string | null {
  const address = read(entry);
  if (address !== null) return address;
  report(entry, proxies);
  const text = entry.trim();
  if (text === "" || /^(?:for=)?"?unknown"?$/i.test(text)) return null;
  if (/^_[\w.-]{1,60}$/.test(text)) return text;
  return `_${createHash("sha256").update(text).digest("base64url").slice(0, 16)}`;
}

function report(text: string, { onUnreadable }: TrustedProxies): null {
  onUnreadable?.(text.trim());
  return null;
}

/** Reads an address as proxies write it: with a port, in brackets or quotes, with a zone; null for anything else. */
function readEntry(entry: string): string | null {
  const text = entry.trim();
  if (isIP(text) === 4) return text;
  const bare = text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text;
  const [, inBrackets] = /^\[([^\]]*)\](?::\w*)?$/.exec(bare) ?? [];
  if (inBrackets !== undefined) return inBrackets.includes(":") ? readAddress(inBrackets) : null;
  return readAddress(bare.replace(/^([\d.]+):\w*$/, "$1"));
}

const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~:[\]-]*)\s*(?:;|$)/y;

/** Reads the `for` of an element of Forwarded. Null if it is no address, or the element is not whole. */
function readForwardedEntry(entry: string): string | null {
  let found: string | null = null;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < entry.length) {
    const [, name, value = ""] = PAIR.exec(entry) ?? [];
    if (name === undefined) return null;
    if (name.toLowerCase() !== "for") continue;
    if (found !== null) return null;
    found = value;
  }
  return found === null ? null : readEntry(found.replaceAll("\\", ""));
}

/** Normalises an address: IPv4 also where it was written as IPv6, IPv6 in its short form, without a zone. */
function readAddress(text: string): string | null {
  const family = isIP(text);
  if (family === 4) return text;
  return family === 0 ? null : ipaddr.process(text.replace(/%.*$/s, "")).toString();
}

const ID_BYTES = 16;
const ID_LENGTH = 2 * ID_BYTES;
const pool = Buffer.allocUnsafe(ID_BYTES * 1024);
let ids = "";
let used = 0;

/**
 * Creates 32 hexadecimal characters. Random bytes are read and written as text in blocks, because one system call per
 * request would take longer than the request.
 */
export function createRequestId(): string {
  if (used === ids.length) {
    ids = randomFillSync(pool).toString("hex");
    used = 0;
  }
  used += ID_LENGTH;
  return ids.slice(used - ID_LENGTH, used);
}
