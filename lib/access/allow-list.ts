import { formatRange, type IpRange, maskByte, parseAddress, parseRange } from "@/lib/access/ip-range";

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
