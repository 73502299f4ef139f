import { AccessError } from "@/lib/access/access-error";
import {
  containsRange,
  describeProblem,
  type IpRange,
  parseAddress,
  parseRange,
  parseRangeLines,
} from "@/lib/access/allow-list";
import { formatDays } from "@/lib/access/keys/key-life";
import { KEY_KINDS, type KeyKind, NO_LIMIT } from "@/lib/access/plans";
import { isScope, type Scope, SCOPES } from "@/lib/access/scopes";
import { parseSymbolNames } from "@/lib/access/symbol-list";
import { CATEGORIES } from "@/lib/market/instrument";
import { readOrigin } from "@/lib/platform/settings/server-settings";
import { formatCount } from "@/lib/text/text";
import { DAY_MS } from "@/lib/time/units";

/** The settings of a key. Each check returns the value to store, or throws an AccessError. */

export const MAX_ADDRESSES = 100;
const MAX_LABEL_LENGTH = 80;
const MAX_SYMBOLS = 100;
const MAX_ORIGINS = 20;
/** A host name has 253 characters at most. */
const MAX_ORIGIN_LENGTH = 270;
const MAX_LIFETIME_DAYS = 3_653;

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

/** Returns each scope once, in the order of SCOPES; without those that "all" includes if it is among them. */
export function checkScopes(names: readonly string[]): Scope[] {
  if (names.length === 0 || !names.every(isScope)) {
    throw new AccessError("invalid_scopes", `Choose at least one scope out of ${SCOPES.join(", ")}.`);
  }
  const isAll = names.includes("all");
  return SCOPES.filter((scope) => names.includes(scope) && (!isAll || scope === "all" || scope === "alerts"));
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

/**
 * Returns each path once, in the order of `keyPaths`, which a key can be limited to; none allows every endpoint of the
 * scopes.
 */
export function checkEndpoints(paths: readonly string[], keyPaths = paths): string[] {
  const unknown = paths.find((path) => !keyPaths.includes(path));
  if (unknown !== undefined) {
    const known = keyPaths.join(", ");
    throw new AccessError("invalid_endpoints", `“${unknown.slice(0, 60)}” is not an endpoint of keys: ${known}.`);
  }
  return keyPaths.filter((path) => paths.includes(path));
}

/** Reads names of categories and spellings of symbols; none allows every symbol. */
export function checkSymbols(given: readonly string[]): string[] {
  if (given.length > MAX_SYMBOLS) {
    throw new AccessError("invalid_symbols", `A key may have ${MAX_SYMBOLS} categories and symbols at most.`);
  }
  const { names, unknown } = parseSymbolNames(given);
  if (unknown.length > 0) {
    const first = unknown[0]?.slice(0, 60);
    const categories = CATEGORIES.join(", ");
    throw new AccessError("invalid_symbols", `“${first}” is neither a symbol nor a category (${categories}).`);
  }
  return names;
}

/** Reads origins such as "https://app.example.com"; none allows the pages of every site. */
export function checkOrigins(given: readonly string[]): string[] {
  const origins = given.map((text) => readOrigin(text.trim()));
  const wrong = given[origins.indexOf(null)];
  if (wrong !== undefined) {
    throw new AccessError(
      "invalid_origins",
      `“${wrong.slice(0, 60)}” is not an origin such as https://app.example.com, without a path.`,
    );
  }
  const different = [...new Set(origins.filter((origin) => origin !== null))];
  if (different.length > MAX_ORIGINS || different.some(({ length }) => length > MAX_ORIGIN_LENGTH)) {
    throw new AccessError(
      "invalid_origins",
      `A key may have ${MAX_ORIGINS} origins of ${MAX_ORIGIN_LENGTH} characters at most.`,
    );
  }
  return different;
}

/** Checks a key's own limit against the one of its account. Null follows the account. */
export function checkLimit(limit: number | null, most: number, window: "minute" | "day"): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= most)) return limit;
  const range = most === NO_LIMIT ? "1 or more" : `from 1 to ${formatCount(most)}, the account’s own limit`;
  throw new AccessError(`invalid_${window}_limit`, `Calls a ${window} must be a whole number ${range}.`);
}

/** `maxDays` is the longest life that the operator allows; null for ten years. */
export function checkExpiry(expiresAtMs: number | null, nowMs: number, maxDays: number | null): Date | null {
  if (expiresAtMs === null && maxDays === null) return null;
  const days = maxDays ?? MAX_LIFETIME_DAYS;
  if (expiresAtMs !== null && expiresAtMs > nowMs && expiresAtMs <= nowMs + days * DAY_MS) return new Date(expiresAtMs);
  const within = maxDays === null ? "ten years" : `${formatDays(maxDays)}, which the operator set`;
  throw new AccessError("invalid_expiry", `A key must expire in the future, within ${within}.`);
}

/** Warnings about a valid allow-list, one sentence each: very wide ranges, and ranges within others. */
export function listAllowListWarnings(cidrs: readonly string[]): string[] {
  const ranges = cidrs.flatMap((cidr) => {
    const range = parseRange(cidr);
    return "reason" in range ? [] : [{ cidr, range }];
  });
  const wide = ranges.flatMap(({ cidr, range }) => {
    if (range.prefix === 0) return [`${cidr} allows every IPv${range.family} address.`];
    return isVast(range) ? [`${cidr} is a very wide range: ${formatSize(range)}.`] : [];
  });
  const redundant = ranges.flatMap(({ cidr, range }) => {
    const outer = ranges.find((other) => other.cidr !== cidr && containsRange(other.range, range));
    return outer === undefined ? [] : [`${cidr} is within ${outer.cidr} already.`];
  });
  return [...wide, ...redundant];
}

/** The first range that contains an address, or null; undefined for an invalid address. */
export function findAdmittingRange(cidrs: readonly string[], address: string): string | null | undefined {
  const parsed = parseAddress(address.trim());
  if (parsed === null) return undefined;
  const single: IpRange = { ...parsed, prefix: parsed.bytes.length * 8 };
  return (
    cidrs.find((cidr) => {
      const range = parseRange(cidr);
      return !("reason" in range) && containsRange(range, single);
    }) ?? null
  );
}

/** Wider than what one organisation usually has. */
function isVast({ family, prefix }: IpRange): boolean {
  return family === 4 ? prefix < 8 : prefix < 19;
}

function formatSize({ family, prefix }: IpRange): string {
  return family === 4 ? `${formatCount(2 ** (32 - prefix))} addresses` : `2^${128 - prefix} addresses`;
}
