import { AccessError } from "@/lib/access/access-error";
import { describeProblem, parseRangeLines } from "@/lib/access/allow-list";
import { KEY_KINDS, type KeyKind } from "@/lib/access/plans";
import { isScope, type Scope, SCOPES } from "@/lib/access/scopes";
import { DAY_MS } from "@/lib/time/units";

/** What may be asked of a key. Each check returns it as it will be stored, or throws the AccessError that says why not. */

const maxAddresses = 100;
const maxLabelLength = 80;
const maxLifetimeMs = 3_653 * DAY_MS;

/** Control characters, zero-width ones and line separators would let one label pass for another, or for none. */
export function checkLabel(text: string): string {
  const label = text.trim();
  const length = [...label].length;
  if (length < 1 || length > maxLabelLength || /[\p{C}\p{Zl}\p{Zp}]/u.test(label)) {
    throw new AccessError("invalid_label", `Give the key a label of 1 to ${maxLabelLength} visible characters.`);
  }
  return label;
}

export function checkKind(kind: string): KeyKind {
  const known = KEY_KINDS.find((name) => name === kind);
  if (known === undefined) throw new AccessError("invalid_kind", `A key is one of ${KEY_KINDS.join(", ")}.`);
  return known;
}

/** In the order of the list of scopes, each once; "all" needs no others beside it. */
export function checkScopes(words: readonly string[]): Scope[] {
  const strangers = words.filter((word) => !isScope(word));
  if (strangers.length > 0 || words.length === 0) {
    throw new AccessError("invalid_scopes", `Choose at least one scope out of ${SCOPES.join(", ")}.`);
  }
  return words.includes("all") ? ["all"] : SCOPES.filter((scope) => words.includes(scope));
}

export function checkAddresses(lines: readonly string[]): string[] {
  if (lines.length > maxAddresses) {
    throw new AccessError("invalid_addresses", `A key may have ${maxAddresses} addresses and ranges at most.`);
  }
  const { cidrs, problems } = parseRangeLines(lines);
  if (problems.length > 0) {
    throw new AccessError("invalid_addresses", problems.map(describeProblem).join(" "), problems);
  }
  return [...cidrs];
}

export function checkExpiry(expiresAtMs: number | null, nowMs: number): Date | null {
  if (expiresAtMs === null) return null;
  if (!(expiresAtMs > nowMs && expiresAtMs <= nowMs + maxLifetimeMs)) {
    throw new AccessError("invalid_expiry", "A key must expire in the future, within ten years.");
  }
  return new Date(expiresAtMs);
}
