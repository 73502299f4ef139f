import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Addresses and ranges as people write them. Node's strict parser decides what is an address, because lenient ones
 * disagree: `010.0.0.1` is 8.0.0.1 to some programs and 10.0.0.1 to others. IPv4-mapped addresses, which sockets report
 * (`::ffff:192.0.2.1`), are treated as IPv4.
 */

export interface IpAddress {
  readonly family: 4 | 6;
  /** 4 or 16 bytes, in network order. */
  readonly bytes: readonly number[];
}

export interface IpRange extends IpAddress {
  readonly prefix: number;
}

const MAPPED_BITS = 96;

/** Parses one address, or returns null. Refuses zone ids, which are valid on one machine only. */
export function parseAddress(text: string): IpAddress | null {
  if (isIP(text) === 0 || text.includes("%")) return null;
  const address = ipaddr.process(text);
  return { family: address.kind() === "ipv4" ? 4 : 6, bytes: address.toByteArray() };
}

/** Parses an address or a CIDR range and clears the bits beyond its prefix; or returns why it is invalid. */
export function parseRange(text: string): IpRange | { readonly reason: string } {
  const [addressText = "", prefixText, ...more] = text.trim().split("/");
  if (more.length > 0) return { reason: "has more than one “/”" };
  const address = parseAddress(addressText);
  if (address === null) return { reason: findReason(addressText) };

  const isMapped = address.family === 4 && addressText.includes(":");
  const maxPrefix = address.family === 4 && !isMapped ? 32 : 128;
  if (prefixText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefixText)) {
    return { reason: `needs a whole number from 0 to ${maxPrefix} after the “/”` };
  }
  const written = prefixText === undefined ? maxPrefix : Number(prefixText);
  if (written > maxPrefix) return { reason: `has a prefix above ${maxPrefix}` };
  if (isMapped && written < MAPPED_BITS) {
    return { reason: "reaches beyond the IPv4 addresses; write IPv4 ranges like 192.0.2.0/24" };
  }
  const prefix = isMapped ? written - MAPPED_BITS : written;
  return { family: address.family, prefix, bytes: address.bytes.map((byte, at) => byte & maskByte(prefix, at)) };
}

/** "192.0.2.0/24", "2001:db8::/32"; a single address has the full prefix. */
export function formatRange(range: IpRange): string {
  return `${ipaddr.fromByteArray([...range.bytes]).toString()}/${range.prefix}`;
}

/** Whether every address of `inner` is one of `outer`. */
export function containsRange(outer: IpRange, inner: IpRange): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  return outer.bytes.every((byte, at) => ((inner.bytes[at] ?? 0) & maskByte(outer.prefix, at)) === byte);
}

/** The bits of byte `at` that lie within the prefix. */
export function maskByte(prefix: number, at: number): number {
  const bits = Math.min(8, Math.max(0, prefix - at * 8));
  return (0xff << (8 - bits)) & 0xff;
}

function findReason(text: string): string {
  if (text === "") return "is empty";
  if (text.includes("%")) return "has a zone id; write the address without the part from “%”";
  if (/^\[.*\]|^[\d.]+:\d+$/.test(text)) return "has a port or brackets; write the address alone";
  if (/^[\da-f.:]+\s*-\s*[\da-f.:]+$/i.test(text) || /^[\d.*]*\*[\d.*]*$/.test(text)) {
    return "is not CIDR; write a range like 192.0.2.0/24";
  }
  if (text.includes(":")) return "is not an IPv6 address";
  if (!/^[\d.]+$/.test(text)) return "is not an address; names are not looked up";
  if (!/^\d+(\.\d+){3}$/.test(text)) return "is not an IPv4 address; that has four numbers";
  if (/(^|\.)0\d/.test(text)) return "has a leading zero, which some programs read as octal";
  return "has a number above 255";
}

const UNKNOWN_NETWORK = "unknown";

/**
 * One IPv4 address, or an IPv6 /64: the smallest network of one subscriber. All unknown addresses count as one network,
 * because a client that hides its address must not get more than others.
 */
export function findNetwork(address: string | null): string {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null || address === null) return UNKNOWN_NETWORK;
  const range = parseRange(parsed.family === 4 ? address : `${address}/64`);
  return "reason" in range ? UNKNOWN_NETWORK : formatRange(range);
}
