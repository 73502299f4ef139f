import { type Actor, OPERATOR_CLI } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import type { KeyContext } from "@/lib/access/keys/change-key";
import { type CreatedKey, createKey, type NewKey } from "@/lib/access/keys/create-key";
import { disableKey, enableKey, restoreKey, revokeKey } from "@/lib/access/keys/end-key";
import { type Grace, type Key, toKey } from "@/lib/access/keys/key";
import { type RotatedKey, rotateKey } from "@/lib/access/keys/rotate-key";
import { type KeyChanges, updateKey } from "@/lib/access/keys/update-key";
import type { Database } from "@/lib/platform/database/database";

export type { CreatedKey, NewKey } from "@/lib/access/keys/create-key";

/**
 * API keys. Only the hash of a secret is stored. A change resolves once it is active in every process, and rejects with
 * an AccessError, having changed nothing, for what the caller can correct.
 */
export type Keys = ReturnType<typeof createKeys>;

export function createKeys(database: Database, options: Omit<KeyContext, "database">) {
  const context: KeyContext = { database, ...options };
  return {
    create: (input: NewKey, by: Actor = OPERATOR_CLI): Promise<CreatedKey> => createKey(context, input, by),
    update: (id: string, changes: KeyChanges, by: Actor): Promise<Key> => updateKey(context, id, changes, by),
    rotate: (id: string, grace: Grace, by: Actor): Promise<RotatedKey> => rotateKey(context, id, grace, by),
    disable: (id: string, by: Actor): Promise<Key> => disableKey(context, id, by),
    enable: (id: string, by: Actor): Promise<Key> => enableKey(context, id, by),
    revoke: (id: string, by: Actor): Promise<Key> => revokeKey(context, id, by),
    restore: (id: string, by: Actor): Promise<Key> => restoreKey(context, id, by),

    /** The keys of one account, or of all, newest first. */
    async list(accountId?: string): Promise<Key[]> {
      if (accountId !== undefined && !isId(accountId)) return [];
      const where = accountId === undefined ? {} : { accountId };
      const rows = await database.prisma.apiKey.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map((row) => toKey(row, options.now()));
    },
  };
}
