import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import type { Facts } from "@/lib/access/audit-event";
import { checkKeyLimits, getAccountLimits } from "@/lib/access/keys/account-limits";
import { changeAndRefresh, type KeyContext, requireConfirmation, requireUsable } from "@/lib/access/keys/change-key";
import { type Key, toKeyFacts } from "@/lib/access/keys/key";
import { formatDays, getLatestEnd } from "@/lib/access/keys/key-life";
import { isWidened, readEndMs } from "@/lib/access/keys/key-reach";
import {
  checkAddresses,
  checkEndpoints,
  checkExpiry,
  checkLabel,
  checkOrigins,
  checkScopes,
  checkSymbols,
} from "@/lib/access/keys/key-settings";
import type { ApiKey } from "@/prisma/generated/client";

/** Undefined leaves a setting as it is. */
export interface KeyChanges {
  readonly label?: string;
  readonly scopes?: readonly string[];
  /** Addresses and CIDR ranges; none allows every address. */
  readonly addresses?: readonly string[];
  /** Paths of endpoints; none allows every endpoint of the scopes. */
  readonly endpoints?: readonly string[];
  /** Categories and symbols; none allows every symbol. */
  readonly symbols?: readonly string[];
  /** Origins of pages that may use the key in a browser; none allows all. */
  readonly origins?: readonly string[];
  /** Limits of its own, at most the account's; null follows the account. */
  readonly perMinute?: number | null;
  readonly perDay?: number | null;
  readonly expiresAtMs?: number | null;
}

/** Changes the settings of a key. A change that allows more needs a confirmed actor. */
export async function updateKey(context: KeyContext, id: string, changes: KeyChanges, by: Actor): Promise<Key> {
  const data = readChanges(changes, context.now());
  return changeAndRefresh(context, id, by, async ({ row, transaction, save }) => {
    requireUsable(row, context.now(), "changed");
    const after = { ...row, ...data };
    const account = await transaction.account.findUniqueOrThrow({ where: { id: row.accountId } });
    checkKeyLimits(after, row, getAccountLimits(account, row.kind, context.now()));
    const facts = diffFacts(toKeyFacts(row), toKeyFacts(after));
    if (facts === null) return row;
    if (row.replacedById !== null && readEndMs(after) > readEndMs(row)) {
      throw new AccessError("invalid_expiry", "A rotated key cannot end later than its rotation set.");
    }
    requireLifetime(row, after, context.maxLifetimeDays ?? null);
    if (isWidened(row, after)) requireConfirmation(by, "This lets the key do more than before.");
    return save("key.update", data, facts);
  });
}

function readChanges(changes: KeyChanges, nowMs: number): Partial<ApiKey> {
  const { label, scopes, addresses, endpoints, symbols, origins, perMinute, perDay, expiresAtMs } = changes;
  const data: Partial<ApiKey> = {};
  if (label !== undefined) data.label = checkLabel(label);
  if (scopes !== undefined) data.scopes = checkScopes(scopes);
  if (addresses !== undefined) data.allowedCidrs = checkAddresses(addresses);
  if (endpoints !== undefined) data.allowedEndpoints = checkEndpoints(endpoints);
  if (symbols !== undefined) data.allowedSymbols = checkSymbols(symbols);
  if (origins !== undefined) data.allowedOrigins = checkOrigins(origins);
  if (perMinute !== undefined) data.perMinuteLimit = perMinute;
  if (perDay !== undefined) data.perDayLimit = perDay;
  if (expiresAtMs !== undefined) data.expiresAt = checkExpiry(expiresAtMs, nowMs, null);
  return data;
}

/** A key that already lives longer than the operator allows may keep its end or come closer to it, but not go further. */
function requireLifetime(before: ApiKey, after: ApiKey, maxDays: number | null): void {
  if (maxDays === null) return;
  const latestMs = getLatestEnd(before.createdAt.getTime(), maxDays);
  if (readEndMs(after) <= Math.max(latestMs, readEndMs(before))) return;
  throw new AccessError(
    "invalid_expiry",
    `A key lives ${formatDays(maxDays)} at most, which the operator set: this one until ` +
      `${new Date(latestMs).toISOString().slice(0, 16).replace("T", " ")} UTC. Rotate it to go on.`,
  );
}

/** Returns the facts that differ, or null if none does. */
function diffFacts(before: Facts, after: Facts): { before: Facts; after: Facts } | null {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return names.length === 0 ? null : { before: pick(before), after: pick(after) };
}
