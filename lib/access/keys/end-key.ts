import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import {
  changeAndRefresh,
  type KeyContext,
  requireConfirmation,
  requireKeyCapacity,
  requireNotDisabledByOperator,
  requireUsable,
} from "@/lib/access/keys/change-key";
import { type Key, readState, RESTORE_MS } from "@/lib/access/keys/key";
import type { ApiKey } from "@/prisma/generated/client";

/** Disables a key: its calls are refused until it is enabled. If an operator disables it, only an operator enables it. */
export function disableKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  const { now } = context;
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    requireUsable(row, now(), "disabled");
    const disabledByOperator = actsAsOperator(by, row);
    if (row.disabledAt !== null && (row.disabledByOperator || !disabledByOperator)) return row;
    return save("key.disable", { disabledAt: row.disabledAt ?? new Date(now()), disabledByOperator });
  });
}

/** Accepts a disabled key again. */
export function enableKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    requireUsable(row, context.now(), "enabled");
    if (row.disabledAt === null) return row;
    requireNotDisabledByOperator(row, by, "enable");
    requireConfirmation(by, "Enabling lets the key call again.");
    return save("key.enable", { disabledAt: null, disabledByOperator: false });
  });
}

/**
 * Revokes a key. It can be restored for 15 minutes; then the revocation is final. If an operator revokes it, only an
 * operator restores it.
 */
export function revokeKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    const revokedByOperator = actsAsOperator(by, row);
    if (row.revokedAt !== null && (row.revokedByOperator || !revokedByOperator)) return row;
    requireConfirmation(by, "Revoking ends this key.");
    return save("key.revoke", { revokedAt: row.revokedAt ?? new Date(context.now()), revokedByOperator });
  });
}

/** Undoes a revocation. */
export function restoreKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  const { now } = context;
  return changeAndRefresh(context, id, by, async ({ row, transaction, save }) => {
    if (row.revokedAt === null) return row;
    if (row.revokedByOperator && by.kind === "owner") {
      throw new AccessError("key_state", "An operator revoked this key. Only an operator can restore it.");
    }
    if (now() >= row.revokedAt.getTime() + RESTORE_MS) {
      throw new AccessError("key_state", "The key was revoked more than fifteen minutes ago. That is final.");
    }
    requireConfirmation(by, "Restoring lets the key call again.");
    const isExpired = readState({ ...row, revokedAt: null }, now()) === "expired";
    if (!isExpired) await requireKeyCapacity(transaction, row.accountId, now());
    return save("key.restore", { revokedAt: null, revokedByOperator: false });
  });
}

/** An operator who changes a key of their own on the operator's pages acts as its owner. */
function actsAsOperator(by: Actor, { accountId }: ApiKey): boolean {
  return by.kind === "operator-cli" || (by.kind === "operator" && by.accountId !== accountId);
}
