import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import {
  changeAndRefresh,
  type KeyContext,
  requireConfirmation,
  requireKeyCapacity,
  requireUsable,
} from "@/lib/access/keys/change-key";
import { type Key, readState, RESTORE_MS } from "@/lib/access/keys/key";

/** Disables or enables a key. Calls with a disabled key are refused. */
export function setKeyDisabled(context: KeyContext, id: string, disabled: boolean, by: Actor): Promise<Key> {
  const { now } = context;
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    requireUsable(row, now(), disabled ? "disabled" : "enabled");
    if ((row.disabledAt !== null) === disabled) return row;
    if (disabled) return save("key.disable", { disabledAt: new Date(now()) });
    return save("key.enable", { disabledAt: null });
  });
}

/** Revokes a key. It can be restored for 15 minutes; then the revocation is final. */
export function revokeKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    if (row.revokedAt !== null) return row;
    requireConfirmation(by, "Revoking ends this key.");
    return save("key.revoke", { revokedAt: new Date(context.now()) });
  });
}

/** Undoes a revocation. */
export function restoreKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  const { now } = context;
  return changeAndRefresh(context, id, by, async ({ row, transaction, save }) => {
    if (row.revokedAt === null) return row;
    if (now() >= row.revokedAt.getTime() + RESTORE_MS) {
      throw new AccessError("key_state", "The key was revoked more than fifteen minutes ago. That is final.");
    }
    const isExpired = readState({ ...row, revokedAt: null }, now()) === "expired";
    if (!isExpired) await requireKeyCapacity(transaction, row.accountId, now());
    return save("key.restore", { revokedAt: null });
  });
}
