import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import type { Facts } from "@/lib/access/audit-event";
import { changeAndRefresh, type KeyContext, requireConfirmation, requireUsable } from "@/lib/access/keys/change-key";
import { type Key, toKeyFacts } from "@/lib/access/keys/key";
import {
  checkAddresses,
  checkExpiry,
  checkLabel,
  checkScopes,
  isWidened,
  readEndMs,
} from "@/lib/access/keys/key-settings";
import type { ApiKey } from "@/prisma/generated/client";

/** Undefined leaves a setting as it is. */
export interface KeyChanges {
  readonly label?: string;
  readonly scopes?: readonly string[];
  /** Addresses and CIDR ranges; none allows every address. */
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

/** Changes the settings of a key. A change that allows more needs a confirmed actor. */
export async function updateKey(context: KeyContext, id: string, changes: KeyChanges, by: Actor): Promise<Key> {
  const data = readChanges(changes, context.now());
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    requireUsable(row, context.now(), "changed");
    const after = { ...row, ...data };
    const facts = diffFacts(toKeyFacts(row), toKeyFacts(after));
    if (facts === null) return row;
    if (row.replacedById !== null && readEndMs(after) > readEndMs(row)) {
      throw new AccessError("invalid_expiry", "A rotated key cannot end later than its rotation set.");
    }
    if (isWidened(row, after)) requireConfirmation(by, "This lets the key do more than before.");
    return save("key.update", data, facts);
  });
}

function readChanges({ label, scopes, addresses, expiresAtMs }: KeyChanges, nowMs: number): Partial<ApiKey> {
  const data: Partial<ApiKey> = {};
  if (label !== undefined) data.label = checkLabel(label);
  if (scopes !== undefined) data.scopes = checkScopes(scopes);
  if (addresses !== undefined) data.allowedCidrs = checkAddresses(addresses);
  if (expiresAtMs !== undefined) data.expiresAt = checkExpiry(expiresAtMs, nowMs);
  return data;
}

/** Returns the facts that differ, or null if none does. */
function diffFacts(before: Facts, after: Facts): { before: Facts; after: Facts } | null {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return names.length === 0 ? null : { before: pick(before), after: pick(after) };
}
