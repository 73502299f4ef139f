import { containsRange, parseRange } from "@/lib/access/ip-range";
import { hasScope, isScope } from "@/lib/access/scopes";

/** What an owner may set, as far as it says what a key can do. */
export interface Reach {
  readonly scopes: readonly string[];
  /** Empty lets every address in. */
  readonly allowedCidrs: readonly string[];
  readonly expiresAt: Date | null;
}

/** Whether `after` opens anything that `before` does not: an endpoint, an address, or a moment in time. */
export function isWidened(before: Reach, after: Reach): boolean {
  const held = new Set(before.scopes.filter(isScope));
  if (after.scopes.filter(isScope).some((scope) => !hasScope(held, scope))) return true;
  const endsAtMs = ({ expiresAt }: Reach) => expiresAt?.getTime() ?? Infinity;
  if (endsAtMs(after) > endsAtMs(before)) return true;
  if (before.allowedCidrs.length === 0) return false;
  return after.allowedCidrs.length === 0 || !after.allowedCidrs.every((cidr) => isWithin(cidr, before.allowedCidrs));
}

/** Two halves that make up a range together do not count: asking once too often does no harm. */
function isWithin(cidr: string, ranges: readonly string[]): boolean {
  const inner = parseRange(cidr);
  return ranges.some((range) => {
    const outer = parseRange(range);
    return !("reason" in inner) && !("reason" in outer) && containsRange(outer, inner);
  });
}
