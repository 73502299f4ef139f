import { AccessError } from "@/lib/access/access-error";
import { describeProblem, parseRangeLines } from "@/lib/access/allow-list";
import { containsRange, parseRange } from "@/lib/access/ip-range";
import { KEY_KINDS, type KeyKind } from "@/lib/access/plans";
import { hasScope, isScope, type Scope, SCOPES } from "@/lib/access/scopes";
import { DAY_MS } from "@/lib/time/units";

/** The settings of a key. Each check returns the value to store, or throws an AccessError. */

const MAX_ADDRESSES = 100;
const MAX_LABEL_LENGTH = 80;
const MAX_LIFETIME_MS = 3_653 * DAY_MS;

/** Refuses control and zero-width characters: with them one label could look like another. */
export function checkLabel(text: string): string {
  const label = text.trim();
  const length = [...label].length;
  if (length < 1 || length > MAX_LABEL_LENGTH || /[\p{C}\p{Zl}\p{Zp}]/u.test(label)) {
    throw new AccessError("invalid_label", `Give the key a label of 1 to ${MAX_LABEL_LENGTH} visible characters.`);
  }
  return label;
}

export function checkKind(text: string): KeyKind {
  const kind = KEY_KINDS.find((name) => name === text);
  if (kind === undefined) throw new AccessError("invalid_kind", `A key is one of ${KEY_KINDS.join(", ")}.`);
  return kind;
}

/** Returns each scope once, in the order of SCOPES; "all" alone if it is among them. */
export function checkScopes(names: readonly string[]): Scope[] {
  if (names.length === 0 || !names.every(isScope)) {
    throw new AccessError("invalid_scopes", `Choose at least one scope out of ${SCOPES.join(", ")}.`);
  }
  return names.includes("all") ? ["all"] : SCOPES.filter((scope) => names.includes(scope));
}

/** Reads addresses and CIDR ranges, one a line. */
export function checkAddresses(lines: readonly string[]): string[] {
  if (lines.length > MAX_ADDRESSES) {
    throw new AccessError("invalid_addresses", `A key may have ${MAX_ADDRESSES} addresses and ranges at most.`);
  }
  const { cidrs, problems } = parseRangeLines(lines);
  if (problems.length > 0) {
    throw new AccessError("invalid_addresses", problems.map(describeProblem).join(" "), problems);
  }
  return [...cidrs];
}

export function checkExpiry(expiresAtMs: number | null, nowMs: number): Date | null {
  if (expiresAtMs === null) return null;
  if (!(expiresAtMs > nowMs && expiresAtMs <= nowMs + MAX_LIFETIME_MS)) {
    throw new AccessError("invalid_expiry", "A key must expire in the future, within ten years.");
  }
  return new Date(expiresAtMs);
}

/** The settings that decide what a key can do. */
export interface KeyReach {
  readonly scopes: readonly string[];
  /** Empty allows every address. */
  readonly allowedCidrs: readonly string[];
  readonly expiresAt: Date | null;
}

/** Whether `after` allows an endpoint, an address or a time that `before` does not. */
export function isWidened(before: KeyReach, after: KeyReach): boolean {
  const scopesBefore = new Set(before.scopes.filter(isScope));
  if (after.scopes.filter(isScope).some((scope) => !hasScope(scopesBefore, scope))) return true;
  if (readEndMs(after) > readEndMs(before)) return true;
  if (before.allowedCidrs.length === 0) return false;
  return after.allowedCidrs.length === 0 || !after.allowedCidrs.every((cidr) => isWithin(cidr, before.allowedCidrs));
}

/** UTC milliseconds; Infinity for a key that does not expire. */
export function readEndMs({ expiresAt }: { readonly expiresAt: Date | null }): number {
  return expiresAt?.getTime() ?? Infinity;
}

/** False for a range that only two others together cover: at worst the owner confirms once too often. */
function isWithin(cidr: string, ranges: readonly string[]): boolean {
  const inner = parseRange(cidr);
  return ranges.some((range) => {
    const outer = parseRange(range);
    return !("reason" in inner) && !("reason" in outer) && containsRange(outer, inner);
  });
}
