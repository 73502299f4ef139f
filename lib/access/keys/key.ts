import { containsRange, parseRange } from "@/lib/access/allow-list";
import type { Facts } from "@/lib/access/audit/record";
import type { KeyKind } from "@/lib/access/plans";
import { hasScope, isScope, type Scope } from "@/lib/access/scopes";
import { coversName } from "@/lib/access/symbol-list";
import { DAY_MS, HOUR_MS, QUARTER_HOUR_MS, WEEK_MS } from "@/lib/time/units";
import type { ApiKey } from "@/prisma/generated/client";

/** How long the old key works after a rotation, in milliseconds. */
export const GRACES = { now: 0, "1h": HOUR_MS, "24h": DAY_MS, "7d": WEEK_MS } as const;
export type Grace = keyof typeof GRACES;

/** A key as its owner sees it: everything but the secret. */
export interface Key {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly kind: KeyKind;
  /** First and last characters of the secret, for its owner to recognise. */
  readonly start: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  /** Normalised CIDR ranges; empty allows every address. */
  readonly allowedCidrs: readonly string[];
  /** Paths of endpoints; empty allows every endpoint of the scopes. */
  readonly allowedEndpoints: readonly string[];
  /** Categories and symbols; empty allows every symbol. */
  readonly allowedSymbols: readonly string[];
  /** Origins of pages that may use the key in a browser; empty allows all. */
  readonly allowedOrigins: readonly string[];
  /** The key's own limits; null follows the account. */
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  readonly state: KeyState;
  /** UTC milliseconds, like all times here. */
  readonly expiresAtMs: number | null;
  readonly disabledAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Whether an operator disabled the key, so that only an operator can enable it. */
  readonly disabledByOperator: boolean;
  /** Whether an operator revoked the key, so that only an operator can restore it. */
  readonly revokedByOperator: boolean;
  /** Until when a revoked key can be restored; null if it is not revoked or the revocation is final. */
  readonly restorableUntilMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUse: LastUse | null;
  readonly createdAtMs: number;
  /** The key that this one replaced, and the one that replaced this. */
  readonly replacesId: string | null;
  readonly replacedById: string | null;
}

export type KeyState = "active" | "disabled" | "expired" | "revoked";

/** The latest call, or one at most a minute older. */
interface LastUse {
  readonly atMs: number;
  /** The caller's address, if known. */
  readonly from: string | null;
  readonly endpoint: string | null;
  /** The HTTP status of the answer. */
  readonly status: number | null;
}

export const RESTORE_MS = QUARTER_HOUR_MS;

export function toKey(row: ApiKey, nowMs: number): Key {
  const revokedAtMs = row.revokedAt?.getTime() ?? null;
  const lastUsedAtMs = row.lastUsedAt?.getTime() ?? null;
  const isRestorable = revokedAtMs !== null && nowMs < revokedAtMs + RESTORE_MS;
  const use = { from: row.lastUsedFrom, endpoint: row.lastUsedEndpoint, status: row.lastUsedStatus };
  return {
    id: row.id,
    accountId: row.accountId,
    label: row.label,
    kind: row.kind,
    start: row.start,
    last4: row.last4,
    scopes: row.scopes.filter(isScope),
    allowedCidrs: row.allowedCidrs,
    allowedEndpoints: row.allowedEndpoints,
    allowedSymbols: row.allowedSymbols,
    allowedOrigins: row.allowedOrigins,
    perMinuteLimit: row.perMinuteLimit,
    perDayLimit: row.perDayLimit,
    state: readState(row, nowMs),
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    disabledAtMs: row.disabledAt?.getTime() ?? null,
    revokedAtMs,
    disabledByOperator: row.disabledByOperator,
    revokedByOperator: row.revokedByOperator,
    restorableUntilMs: isRestorable ? revokedAtMs + RESTORE_MS : null,
    lastUsedAtMs,
    lastUse: lastUsedAtMs === null ? null : { atMs: lastUsedAtMs, ...use },
    createdAtMs: row.createdAt.getTime(),
    replacesId: row.replacesId,
    replacedById: row.replacedById,
  };
}

export function readState(row: Pick<ApiKey, "revokedAt" | "expiresAt" | "disabledAt">, nowMs: number): KeyState {
  if (row.revokedAt !== null) return "revoked";
  if (row.expiresAt !== null && row.expiresAt.getTime() <= nowMs) return "expired";
  return row.disabledAt === null ? "active" : "disabled";
}

/** A key's settings as the audit log records them. */
export function toKeyFacts(row: KeyReach & { readonly label: string }) {
  return {
    label: row.label,
    scopes: row.scopes,
    ips: row.allowedCidrs,
    endpoints: row.allowedEndpoints,
    symbols: row.allowedSymbols,
    origins: row.allowedOrigins,
    per_minute: row.perMinuteLimit,
    per_day: row.perDayLimit,
    expires_at: row.expiresAt?.toISOString() ?? null,
  } satisfies Facts;
}

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
