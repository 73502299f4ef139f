import { containsRange, parseRange } from "@/lib/access/ip-range";
import { hasScope, isScope } from "@/lib/access/scopes";
import { coversName } from "@/lib/access/symbol-list";

/** The settings that decide what a key can do. */
export interface KeyReach {
  readonly scopes: readonly string[];
  /** Empty allows every address; likewise the endpoints, the symbols and the origins. */
  readonly allowedCidrs: readonly string[];
  readonly allowedEndpoints: readonly string[];
  readonly allowedSymbols: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The key's own limits; null follows the account. */
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  readonly expiresAt: Date | null;
}

/** Whether `after` allows an endpoint, a symbol, an address, an origin, a time or a number of calls that `before` does not. */
export function isWidened(before: KeyReach, after: KeyReach): boolean {
  const scopesBefore = new Set(before.scopes.filter(isScope));
  return (
    after.scopes.filter(isScope).some((scope) => !hasScope(scopesBefore, scope)) ||
    readEndMs(after) > readEndMs(before) ||
    (after.perMinuteLimit ?? Infinity) > (before.perMinuteLimit ?? Infinity) ||
    (after.perDayLimit ?? Infinity) > (before.perDayLimit ?? Infinity) ||
    isListWidened(before.allowedEndpoints, after.allowedEndpoints, (list, path) => list.includes(path)) ||
    isListWidened(before.allowedSymbols, after.allowedSymbols, coversName) ||
    isListWidened(before.allowedOrigins, after.allowedOrigins, (list, origin) => list.includes(origin)) ||
    isListWidened(before.allowedCidrs, after.allowedCidrs, isWithin)
  );
}

/** An empty list allows everything. */
function isListWidened(
  before: readonly string[],
  after: readonly string[],
  covers: (before: readonly string[], item: string) => boolean,
): boolean {
  if (before.length === 0) return false;
  return after.length === 0 || !after.every((item) => covers(before, item));
}

/** UTC milliseconds; Infinity for a key that does not expire. */
export function readEndMs({ expiresAt }: { readonly expiresAt: Date | null }): number {
  return expiresAt?.getTime() ?? Infinity;
}

/** False for a range that only two others together cover: at worst the owner confirms once too often. */
function isWithin(ranges: readonly string[], cidr: string): boolean {
  const inner = parseRange(cidr);
  return ranges.some((range) => {
    const outer = parseRange(range);
    return !("reason" in inner) && !("reason" in outer) && containsRange(outer, inner);
  });
}
