import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { record } from "@/lib/access/audit/audit";
import { type Key, toKey, toKeyFacts } from "@/lib/access/keys/key";
import { checkAddresses, checkExpiry, checkKind, checkLabel, checkScopes } from "@/lib/access/keys/key-checks";
import { displayParts, mintSecret } from "@/lib/access/keys/key-format";
import { createKeyLife, requireRoom } from "@/lib/access/keys/key-life";
import type { KeyKind } from "@/lib/access/plans";
import { change, isId, type Refreshable } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";

/**
 * Making and listing keys; key-life.ts has what becomes of them. A secret leaves once, with the answer that made it;
 * only its hash is stored. Every method rejects with an AccessError for what the caller can put right.
 */

export interface NewKey {
  readonly accountId: string;
  readonly label: string;
  /** Standard, unless said otherwise. */
  readonly kind?: KeyKind;
  readonly scopes: readonly string[];
  /** Addresses and CIDR ranges as people write them; none lets every address in. */
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

/** A key with its secret, which cannot be shown again. */
export type CreatedKey = Key & { readonly secret: string };

export type Keys = ReturnType<typeof createKeys>;

interface Options {
  readonly now: Clock;
  /** Brought up to date before a change is acknowledged, where keys are served by this process. */
  readonly directory?: Refreshable;
}

export function createKeys(database: Database, { now, directory }: Options) {
  return {
    ...createKeyLife(database, { now, directory }),

    /** Makes a key for an account. Reads and writes nothing before everything asked for has been checked. */
    async create(asked: NewKey, by: Actor = { kind: "owner", accountId: asked.accountId }): Promise<CreatedKey> {
      const { accountId } = asked;
      const data = {
        label: checkLabel(asked.label),
        kind: checkKind(asked.kind ?? "standard"),
        scopes: checkScopes(asked.scopes),
        allowedCidrs: checkAddresses(asked.addresses ?? []),
        expiresAt: checkExpiry(asked.expiresAtMs ?? null, now()),
      };
      const secret = mintSecret();
      const row = await change(database, async (transaction, revision) => {
        if (!isId(accountId) || (await transaction.account.count({ where: { id: accountId } })) === 0) {
          throw new AccessError("account_not_found", "There is no such account.");
        }
        await requireRoom(transaction, accountId, now());
        const secretHash = hashSecret(secret);
        const made = await transaction.apiKey.create({
          data: { ...data, ...displayParts(secret), accountId, secretHash, revision },
        });
        const after = { ...toKeyFacts(made), kind: made.kind };
        await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: made.id, after });
        return made;
      });
      // The key exists now and its secret would be lost with an error, so a failed refresh is left to the next one.
      await directory?.refresh().catch(() => {});
      return { ...toKey(row, now()), secret };
    },

    /** The keys of one account, or of all, newest first. */
    async list(accountId?: string): Promise<Key[]> {
      if (accountId !== undefined && !isId(accountId)) return [];
      const where = accountId === undefined ? {} : { accountId };
      const rows = await database.prisma.apiKey.findMany({ where, orderBy: [{ createdAt: "desc" }, { id: "desc" }] });
      return rows.map((row) => toKey(row, now()));
    },
  };
}
