import { randomFillSync } from "node:crypto";
import { type BlockList, isIP } from "node:net";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";

/**
 * Finds the address of the client. It is the socket's address, unless a trusted proxy connected. Each proxy appends the
 * address that it saw to X-Forwarded-For, and entries further left come from the client and are never trusted. So the
 * client's address is the n-th entry from the right if the number of proxies is known, else the last one that is not a
 * proxy's.
 *
 * @returns null if the header has fewer entries than there are proxies
 */
export function findClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string | null {
  if (forwardedFor === undefined || !isTrustedProxy(socketAddress, proxies)) return socketAddress ?? null;
  const hops = forwardedFor.split(",");
  const { count, addresses } = proxies;
  if (count > 0) return hops[hops.length - count]?.trim() || null;
  const clients = hops.map((hop) => hop.trim()).filter((hop) => addresses === null || !contains(addresses, hop));
  // A client in a network of proxies has only trusted entries. The first is the one furthest from the server.
  return (clients.at(-1) ?? hops[0]?.trim()) || null;
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
