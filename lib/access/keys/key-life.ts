import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import { type EventName, record } from "@/lib/access/audit/audit";
import type { Facts } from "@/lib/access/audit/audit-chain";
import { type Grace, GRACES, type Key, readState, RESTORE_MS, toKey, toKeyFacts } from "@/lib/access/keys/key";
import { checkAddresses, checkExpiry, checkLabel, checkScopes } from "@/lib/access/keys/key-checks";
import { displayParts, mintSecret } from "@/lib/access/keys/key-format";
import { isWidened } from "@/lib/access/keys/widening";
import { change, isId, type Refreshable } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import type { ApiKey, Prisma } from "@/prisma/generated/client";

/**
 * What can become of a key after it was made. Each method resolves once the change is in force everywhere, and rejects
 * with an AccessError, having changed nothing, for what the caller can put right. A key of somebody else's is
 * "key_not_found"; what opens more, or cannot be taken back, is "confirmation_required" without the owner's password.
 */


/** What to change; what is left out stays. */
export interface KeyChanges {
  readonly label?: string;
  readonly scopes?: readonly string[];
  /** Addresses and CIDR ranges as people write them; none lets every address in. */
  readonly addresses?: readonly string[];
  readonly expiresAtMs?: number | null;
}

interface Options {
  readonly now: Clock;
  readonly directory?: Refreshable | undefined;
}

const maxActiveKeys = 100;

export function createKeyLife(database: Database, { now, directory }: Options) {
  interface Step {
    readonly row: ApiKey;
    readonly transaction: Prisma.TransactionClient;
    /** Writes the change and its event. */
    save(event: EventName, data: Partial<ApiKey>, facts: { before?: Facts; after?: Facts }): Promise<ApiKey>;
    readonly revision: bigint;
  }

  /** Runs one change to one key of the actor's. */
  async function changeKey<Result>(id: string, by: Actor, work: (step: Step) => Promise<Result>): Promise<Result> {
    const isPossible = isId(id) && (by.kind === "operator-cli" || isId(by.accountId));
    const where = { id, ...(by.kind === "owner" ? { accountId: by.accountId } : {}) };
    return change(database, async (transaction, revision) => {
      const row = isPossible ? await transaction.apiKey.findFirst({ where }) : null;
      if (row === null) throw new AccessError("key_not_found", "There is no such key.");
      const save: Step["save"] = async (event, data, facts) => {
        await record(transaction, { atMs: now(), event, by, accountId: row.accountId, keyId: id, ...facts });
        return transaction.apiKey.update({ where: { id }, data: { ...data, revision } });
      };
      return work({ row, transaction, save, revision });
    });
  }

  /** A change that leaves one key, acknowledged once it is in force. */
  async function alter(id: string, by: Actor, work: (step: Step) => Promise<ApiKey>): Promise<Key> {
    const row = await changeKey(id, by, work);
    await directory?.refresh();
    return toKey(row, now());
  }

  function setDisabled(disabled: boolean) {
    return (id: string, by: Actor): Promise<Key> =>
      alter(id, by, async ({ row, save }) => {
        requireLiving(row, now(), disabled ? "disabled" : "enabled");
        if ((row.disabledAt !== null) === disabled) return row;
        const event = disabled ? "key.disable" : "key.enable";
        return save(event, { disabledAt: disabled ? new Date(now()) : null }, {});
      });
  }

  return {
    /** Changes what its owner may set. Widening it asks for the password. */
    update(id: string, asked: KeyChanges, by: Actor): Promise<Key> {
      const { label, scopes, addresses, expiresAtMs } = asked;
      const data = {
        ...(label === undefined ? {} : { label: checkLabel(label) }),
        ...(scopes === undefined ? {} : { scopes: checkScopes(scopes) }),
        ...(addresses === undefined ? {} : { allowedCidrs: checkAddresses(addresses) }),
        ...(expiresAtMs === undefined ? {} : { expiresAt: checkExpiry(expiresAtMs, now()) }),
      };
      return alter(id, by, async ({ row, save }) => {
        requireLiving(row, now(), "changed");
        const after = { ...row, ...data };
        const facts = differences(toKeyFacts(row), toKeyFacts(after));
        if (facts === null) return row;
        const endsAtMs = ({ expiresAt }: ApiKey) => expiresAt?.getTime() ?? Infinity;
        if (row.replacedById !== null && endsAtMs(after) > endsAtMs(row)) {
          throw new AccessError("invalid_expiry", "A key that was replaced ends when its rotation said, or earlier.");
        }
        if (isWidened(row, after)) requireConfirmation(by, "This lets the key do more than before.");
        return save("key.update", data, facts);
      });
    },

    /** Refuses every call made with the key, until it is enabled again. */
    disable: setDisabled(true),
    enable: setDisabled(false),

    /**
     * Makes a new key with the same settings in place of this one, which ends after the grace, or at its own expiry
     * where that is sooner. Resolves with the new key and its secret, which cannot be shown again.
     */
    async rotate(id: string, grace: Grace, by: Actor): Promise<{ old: Key; key: Key; secret: string }> {
      if (!Object.hasOwn(GRACES, grace)) {
        throw new AccessError("invalid_grace", `The grace is one of ${Object.keys(GRACES).join(", ")}.`);
      }
      const secret = mintSecret();
      const rows = await changeKey(id, by, async ({ row, transaction, save, revision }) => {
        requireLiving(row, now(), "rotated");
        if (row.replacedById !== null) {
          throw new AccessError("key_state", "This key was rotated before. Rotate the one that replaced it.");
        }
        requireConfirmation(by, "Rotating ends this key.");
        const endsAt = new Date(Math.min(now() + GRACES[grace], row.expiresAt?.getTime() ?? Infinity));
        const newId = randomUUID();
        const ending = { expiresAt: endsAt, replacedById: newId };
        const old = await save("key.rotate", ending, {
          before: { expires_at: row.expiresAt?.toISOString() ?? null },
          after: { expires_at: endsAt.toISOString(), replaced_by: newId, grace },
        });
        await requireRoom(transaction, row.accountId, now());
        const { accountId, label, kind, scopes, allowedCidrs, expiresAt } = row;
        const settings = { accountId, label, kind, scopes, allowedCidrs, expiresAt, replacesId: id };
        const made = { id: newId, ...settings, ...displayParts(secret), secretHash: hashSecret(secret), revision };
        const key = await transaction.apiKey.create({ data: made });
        const after = { ...toKeyFacts(key), kind, replaces: id };
        await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: newId, after });
        return { old, key };
      });
      // The new secret would be lost with an error, so a failed refresh is left to the next one.
      await directory?.refresh().catch(() => {});
      return { old: toKey(rows.old, now()), key: toKey(rows.key, now()), secret };
    },

    /** Ends a key at once. For fifteen minutes it can be restored; then it is final. */
    revoke(id: string, by: Actor): Promise<Key> {
      return alter(id, by, async ({ row, save }) => {
        if (row.revokedAt !== null) return row;
        requireConfirmation(by, "Revoking ends this key.");
        return save("key.revoke", { revokedAt: new Date(now()) }, {});
      });
    },

    /** Takes a revocation back: the key is again what it was. */
    restore(id: string, by: Actor): Promise<Key> {
      return alter(id, by, async ({ row, transaction, save }) => {
        if (row.revokedAt === null) return row;
        if (now() >= row.revokedAt.getTime() + RESTORE_MS) {
          throw new AccessError("key_state", "The key was revoked more than fifteen minutes ago. That is final.");
        }
        const isOver = readState({ ...row, revokedAt: null }, now()) === "expired";
        if (!isOver) await requireRoom(transaction, row.accountId, now());
        return save("key.restore", { revokedAt: null }, {});
      });
    },
  };
}

/** Throws "too_many_keys" unless one more may be made. Only within `change`. */
export async function requireRoom(transaction: Prisma.TransactionClient, accountId: string, nowMs: number) {
  const stillValid = [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }];
  const active = await transaction.apiKey.count({ where: { accountId, revokedAt: null, OR: stillValid } });
  if (active >= maxActiveKeys) {
    throw new AccessError("too_many_keys", `An account may have ${maxActiveKeys} active keys; revoke one first.`);
  }
}

function requireLiving(row: ApiKey, nowMs: number, deed: string): void {
  const state = readState(row, nowMs);
  if (state === "active" || state === "disabled") return;
  throw new AccessError("key_state", `The key is ${state}, so it cannot be ${deed}.`);
}

function requireConfirmation(by: Actor, why: string): void {
  if (by.kind === "operator-cli" || by.confirmed === true) return;
  throw new AccessError("confirmation_required", `${why} Enter your password to go on.`);
}

/** Only what differs between the two, or null when nothing does. */
function differences(before: Facts, after: Facts): { before: Facts; after: Facts } | null {
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const pick = (facts: Facts): Facts => Object.fromEntries(names.map((name) => [name, facts[name] ?? null]));
  return names.length === 0 ? null : { before: pick(before), after: pick(after) };
}
