import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The addresses from which a key may be used. A key without restrictions has null, not an empty list. */
export interface AllowList {
  /** Whether the address is in one of the ranges. False for an invalid address. */
  admits(address: string): boolean;
}

export interface RangeProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  /** Completes the sentence that begins with the text: "“010.0.0.1” has a leading zero …". */
  readonly reason: string;
}

export interface RangeLines {
  /** Normalised, without duplicates, in input order. */
  readonly cidrs: readonly string[];
  readonly problems: readonly RangeProblem[];
}

/** Normalises lines of IPv4 and IPv6 addresses and CIDR ranges. Reports the problem of each bad line. */
export function parseRangeLines(lines: readonly string[]): RangeLines {
  const cidrs = new Set<string>();
  const problems: RangeProblem[] = [];
  lines.forEach((text, index) => {
    const range = parseRange(text);
    if ("reason" in range) problems.push({ line: index + 1, text: text.trim().slice(0, 60), reason: range.reason });
    else cidrs.add(formatRange(range));
  });
  return { cidrs: [...cidrs], problems };
}

export function describeProblem(problem: RangeProblem): string {
  return `Line ${problem.line}: “${problem.text}” ${problem.reason}.`;
}

/** Prepares ranges for the hot path. An invalid range admits nothing. */
export function createAllowList(cidrs: readonly string[]): AllowList {
  const compiled = cidrs.map(parseRange).flatMap((range) => ("reason" in range ? [] : [compile(range)]));
  // Callers rarely change their address, so caching one answer saves nearly all the work.
  let lastAddress = "";
  let lastAnswer = false;
  return {
    admits(address) {
      if (address !== lastAddress) {
        const parsed = typeof address === "string" ? parseAddress(address) : null;
        lastAnswer = parsed !== null && compiled.some((range) => covers(range, parsed.family, parsed.bytes));
        lastAddress = address;
      }
      return lastAnswer;
    },
  };
}

interface CompiledRange {
  readonly family: 4 | 6;
  readonly bytes: Uint8Array;
  readonly masks: Uint8Array;
}

function compile({ family, bytes, prefix }: IpRange): CompiledRange {
  return { family, bytes: Uint8Array.from(bytes), masks: Uint8Array.from(bytes, (_, at) => maskByte(prefix, at)) };
}

function covers(range: CompiledRange, family: 4 | 6, bytes: readonly number[]): boolean {
  if (range.family !== family) return false;
  for (let at = 0; at < range.bytes.length; at++) {
    if (((bytes[at] ?? 0) & (range.masks[at] ?? 0)) !== range.bytes[at]) return false;
  }
  return true;
}

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
function formatRange(range: IpRange): string {
  return `${ipaddr.fromByteArray([...range.bytes]).toString()}/${range.prefix}`;
}

/** Whether every address of `inner` is one of `outer`. */
export function containsRange(outer: IpRange, inner: IpRange): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  return outer.bytes.every((byte, at) => ((inner.bytes[at] ?? 0) & maskByte(outer.prefix, at)) === byte);
}

/** The bits of byte `at` that lie within the prefix. */
function maskByte(prefix: number, at: number): number {
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

/** Whether a caller's address is a name that stands for one; see lib/api/engine/client-address.ts. */
export const isNamedCaller = (address: string): boolean => address.startsWith("_");

/**
 * One IPv4 address, or an IPv6 /64: the smallest network of one subscriber. A caller whose proxy has only a name for it is
 * a network of its own. All unknown addresses count as one network, because a client that hides its address must not get
 * more than others.
 */
export function findNetwork(address: string | null): string {
  if (address !== null && isNamedCaller(address)) return address;
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null || address === null) return UNKNOWN_NETWORK;
  const range = parseRange(parsed.family === 4 ? address : `${address}/64`);
  return "reason" in range ? UNKNOWN_NETWORK : formatRange(range);
}
