import { AccessError } from "@/lib/access/access-error";
import type { Actor } from "@/lib/access/actor";
import type { Facts } from "@/lib/access/audit-event";
import { isId } from "@/lib/access/id";
import { type Key, readState, toKey } from "@/lib/access/keys/key";
import { type EventName, record } from "@/lib/access/record";
import { change, type Refreshable } from "@/lib/access/revision";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";
import type { ApiKey, Prisma } from "@/prisma/generated/client";

/** What every function on keys works with. */
export interface KeyContext {
  readonly database: Database;
  readonly now: Clock;
  /** Refreshed before a change is acknowledged. */
  readonly directory?: Refreshable | undefined;
  /** The longest life of new keys that the operator allows; null or absent for ten years. */
  readonly maxLifetimeDays?: number | null;
}

/** One key inside the transaction that changes it. */
interface KeyChange {
  readonly row: ApiKey;
  readonly transaction: Prisma.TransactionClient;
  readonly revision: bigint;
  /** Writes the change and its audit event. */
  save(event: EventName, data: Partial<ApiKey>, facts?: { before?: Facts; after?: Facts }): Promise<ApiKey>;
}

const MAX_ACTIVE_KEYS = 100;
const MAX_CREATED_A_DAY = 200;
/** How long ended keys stay listed. */
const ENDED_KEY_RETENTION_MS = 400 * DAY_MS;

/** Runs one change to one key. An owner's key is "key_not_found" for everyone but the owner and operators. */
export async function changeKey<Result>(
  { database, now }: KeyContext,
  id: string,
  by: Actor,
  work: (key: KeyChange) => Promise<Result>,
): Promise<Result> {
  const isPossible = isId(id) && (by.kind === "operator-cli" || isId(by.accountId));
  const where = by.kind === "owner" ? { id, accountId: by.accountId } : { id };
  return change(database, async (transaction, revision) => {
    const row = isPossible ? await transaction.apiKey.findFirst({ where }) : null;
    if (row === null) throw new AccessError("key_not_found", "There is no such key.");
    const save: KeyChange["save"] = async (event, data, facts = {}) => {
      await record(transaction, { atMs: now(), event, by, accountId: row.accountId, keyId: id, ...facts });
      return transaction.apiKey.update({ where: { id }, data: { ...data, revision } });
    };
    return work({ row, transaction, revision, save });
  });
}

/** Runs a change and resolves with the key once the change is active everywhere. */
export async function changeAndRefresh(
  context: KeyContext,
  id: string,
  by: Actor,
  work: (key: KeyChange) => Promise<ApiKey>,
): Promise<Key> {
  const row = await changeKey(context, id, by, work);
  await context.directory?.refresh();
  return toKey(row, context.now());
}

/** Throws "too_many_keys" if the account has no room for one more active key. Only inside `change`. */
export async function requireKeyCapacity(
  transaction: Prisma.TransactionClient,
  accountId: string,
  nowMs: number,
): Promise<void> {
  const unexpired = [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }];
  const active = await transaction.apiKey.count({ where: { accountId, revokedAt: null, OR: unexpired } });
  if (active >= MAX_ACTIVE_KEYS) {
    throw new AccessError("too_many_keys", `An account may have ${MAX_ACTIVE_KEYS} active keys; revoke one first.`);
  }
}

/**
 * Throws "too_many_keys" if the account may not create one more key now. Removes keys that ended long ago: only creating
 * keys adds any, so an account never has more than it created in that time. Only inside `change`.
 */
export async function makeRoomForKey(
  transaction: Prisma.TransactionClient,
  accountId: string,
  nowMs: number,
): Promise<void> {
  await requireKeyCapacity(transaction, accountId, nowMs);
  const createdAt = { gt: new Date(nowMs - DAY_MS) };
  if ((await transaction.apiKey.count({ where: { accountId, createdAt } })) >= MAX_CREATED_A_DAY) {
    throw new AccessError("too_many_keys", `An account may create ${MAX_CREATED_A_DAY} keys a day. Try again later.`);
  }
  const longAgo = { lt: new Date(nowMs - ENDED_KEY_RETENTION_MS) };
  await transaction.apiKey.deleteMany({
    where: { accountId, OR: [{ revokedAt: longAgo }, { expiresAt: longAgo }] },
  });
}

/** Throws "key_state" for an expired or revoked key. `action` completes "it cannot be …". */
export function requireUsable(row: ApiKey, nowMs: number, action: string): void {
  const state = readState(row, nowMs);
  if (state === "active" || state === "disabled") return;
  throw new AccessError("key_state", `The key is ${state}, so it cannot be ${action}.`);
}

/** Throws "key_state" for an owner whose key an operator disabled. `action` completes "Only an operator can …". */
export function requireNotDisabledByOperator(row: ApiKey, by: Actor, action: string): void {
  if (row.disabledAt === null || !row.disabledByOperator || by.kind !== "owner") return;
  throw new AccessError("key_state", `An operator disabled this key. Only an operator can ${action} it.`);
}

export function requireConfirmation(by: Actor, why: string): void {
  if (by.kind === "operator-cli" || by.confirmed === true) return;
  throw new AccessError("confirmation_required", `${why} Enter your password to go on.`);
}
