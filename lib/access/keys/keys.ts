import { randomUUID } from "node:crypto";
import { AccessError } from "@/lib/access/access-error";
import { type Actor, OPERATOR_CLI } from "@/lib/access/actor";
import { type EventName, type Facts, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import {
  type Grace,
  GRACES,
  isWidened,
  type Key,
  readEndMs,
  readState,
  RESTORE_MS,
  toKey,
  toKeyFacts,
} from "@/lib/access/keys/key";
import { getDisplayParts, mintSecret } from "@/lib/access/keys/key-format";
import { formatDays, getLatestEnd } from "@/lib/access/keys/key-life";
import {
  checkAddresses,
  checkEndpoints,
  checkExpiry,
  checkKind,
  checkLabel,
  checkLimit,
  checkOrigins,
  checkScopes,
  checkSymbols,
} from "@/lib/access/keys/key-settings";
import { getEntitlements, getPlanAt, type KeyKind } from "@/lib/access/plans";
import { change, type Refreshable } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";
import type { Account, ApiKey, Prisma } from "@/prisma/generated/client";

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

export interface NewKey {
  readonly accountId: string;
  readonly label: string;
  /** Default "standard". */
  readonly kind?: KeyKind;
  readonly scopes: readonly string[];
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

/** A key with its secret, which cannot be shown again. */
export type CreatedKey = Key & { readonly secret: string };

const NO_LIMITS = { perMinuteLimit: null, perDayLimit: null };

/** Creates a key for an account. Checks the settings before it reads or writes anything. Needs a confirmed actor. */
async function createKey(context: KeyContext, input: NewKey, by: Actor): Promise<CreatedKey> {
  const { database, now, directory } = context;
  const { accountId } = input;
  const settings = {
    label: checkLabel(input.label),
    kind: checkKind(input.kind ?? "standard"),
    scopes: checkScopes(input.scopes),
    allowedCidrs: checkAddresses(input.addresses ?? []),
    allowedEndpoints: checkEndpoints(input.endpoints ?? [], await context.listPaths?.()),
    allowedSymbols: checkSymbols(input.symbols ?? []),
    allowedOrigins: checkOrigins(input.origins ?? []),
    perMinuteLimit: input.perMinute ?? null,
    perDayLimit: input.perDay ?? null,
    expiresAt: checkExpiry(input.expiresAtMs ?? null, now(), context.maxLifetimeDays ?? null),
  };
  requireConfirmation(by, "A new key can call the API in your name.");
  const secret = mintSecret();
  const row = await change(database, async (transaction, revision) => {
    const account = isId(accountId) ? await transaction.account.findUnique({ where: { id: accountId } }) : null;
    if (account === null) throw new AccessError("account_not_found", "There is no such account.");
    checkKeyLimits(settings, NO_LIMITS, getAccountLimits(account, settings.kind, now()));
    await makeRoomForKey(transaction, accountId, now());
    const secretHash = hashSecret(secret);
    const created = await transaction.apiKey.create({
      data: { ...settings, ...getDisplayParts(secret), accountId, secretHash, revision },
    });
    const after = { ...toKeyFacts(created), kind: created.kind };
    await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: created.id, after });
    return created;
  });
  // An error would lose the secret of a key that exists, so a failed refresh is left to the next one.
  await directory?.refresh().catch(() => {});
  return { ...toKey(row, now()), secret };
}

/** Undefined leaves a setting as it is. */
export type KeyChanges = Partial<Omit<NewKey, "accountId" | "kind">>;

/** Changes the settings of a key. A change that allows more needs a confirmed actor. */
async function updateKey(context: KeyContext, id: string, changes: KeyChanges, by: Actor): Promise<Key> {
  const data = readChanges(changes, context.now());
  if (changes.endpoints !== undefined)
    data.allowedEndpoints = checkEndpoints(changes.endpoints, await context.listPaths?.());
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
  const { label, scopes, addresses, symbols, origins, perMinute, perDay, expiresAtMs } = changes;
  const data: Partial<ApiKey> = {};
  if (label !== undefined) data.label = checkLabel(label);
  if (scopes !== undefined) data.scopes = checkScopes(scopes);
  if (addresses !== undefined) data.allowedCidrs = checkAddresses(addresses);
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

interface RotatedKey {
  readonly old: Key;
  readonly key: Key;
  /** The new key's secret, which cannot be shown again. */
  readonly secret: string;
}

/**
 * Replaces a key by a new one with the same settings. The old key ends after the grace, or at its own expiry if that is
 * sooner. The new one ends as the old one would have, but within the longest life that the operator allows.
 */
async function rotateKey(context: KeyContext, id: string, grace: Grace, by: Actor): Promise<RotatedKey> {
  const { now, directory } = context;
  if (!Object.hasOwn(GRACES, grace)) {
    throw new AccessError("invalid_grace", `The grace is one of ${Object.keys(GRACES).join(", ")}.`);
  }
  const secret = mintSecret();
  const rows = await changeKey(context, id, by, async ({ row, transaction, save, revision }) => {
    requireUsable(row, now(), "rotated");
    requireNotDisabledByOperator(row, by, "rotate");
    if (row.replacedById !== null) {
      throw new AccessError("key_state", "This key was rotated before. Rotate the one that replaced it.");
    }
    requireConfirmation(by, "Rotating ends this key.");
    const endsAt = new Date(Math.min(now() + GRACES[grace], readEndMs(row)));
    const newId = randomUUID();
    const old = await save(
      "key.rotate",
      { expiresAt: endsAt, replacedById: newId },
      {
        before: { expires_at: row.expiresAt?.toISOString() ?? null },
        after: { expires_at: endsAt.toISOString(), replaced_by: newId, grace },
      },
    );
    await makeRoomForKey(transaction, row.accountId, now());
    const { accountId, label, kind, scopes, allowedCidrs, allowedEndpoints, allowedSymbols, allowedOrigins } = row;
    const { perMinuteLimit, perDayLimit } = row;
    const lists = { scopes, allowedCidrs, allowedEndpoints, allowedSymbols, allowedOrigins };
    const newEndMs = Math.min(readEndMs(row), getLatestEnd(now(), context.maxLifetimeDays ?? null));
    const expiresAt = newEndMs === Infinity ? null : new Date(newEndMs);
    const settings = { accountId, label, kind, ...lists, perMinuteLimit, perDayLimit, expiresAt, replacesId: id };
    const secretHash = hashSecret(secret);
    const key = await transaction.apiKey.create({
      data: { id: newId, ...settings, ...getDisplayParts(secret), secretHash, revision },
    });
    const after = { ...toKeyFacts(key), kind, replaces: id };
    await record(transaction, { atMs: now(), event: "key.create", by, accountId, keyId: newId, after });
    return { old, key };
  });
  // An error would lose the new secret, so a failed refresh is left to the next one.
  await directory?.refresh().catch(() => {});
  return { old: toKey(rows.old, now()), key: toKey(rows.key, now()), secret };
}

/** Disables a key: its calls are refused until it is enabled. If an operator disables it, only an operator enables it. */
function disableKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  const { now } = context;
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    requireUsable(row, now(), "disabled");
    const disabledByOperator = actsAsOperator(by, row);
    if (row.disabledAt !== null && (row.disabledByOperator || !disabledByOperator)) return row;
    return save("key.disable", { disabledAt: row.disabledAt ?? new Date(now()), disabledByOperator });
  });
}

/** Accepts a disabled key again. */
function enableKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
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
function revokeKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
  return changeAndRefresh(context, id, by, async ({ row, save }) => {
    const revokedByOperator = actsAsOperator(by, row);
    if (row.revokedAt !== null && (row.revokedByOperator || !revokedByOperator)) return row;
    requireConfirmation(by, "Revoking ends this key.");
    return save("key.revoke", { revokedAt: row.revokedAt ?? new Date(context.now()), revokedByOperator });
  });
}

/** Undoes a revocation. */
function restoreKey(context: KeyContext, id: string, by: Actor): Promise<Key> {
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

/** What every function on keys works with. */
export interface KeyContext {
  readonly database: Database;
  readonly now: Clock;
  /** Refreshed before a change is acknowledged. */
  readonly directory?: Refreshable | undefined;
  /** The longest life of new keys that the operator allows; null or absent for ten years. */
  readonly maxLifetimeDays?: number | null;
  /** The paths of the API that a key can be limited to; absent where there is no API, and any path is taken. */
  readonly listPaths?: () => readonly string[] | Promise<readonly string[]>;
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
async function changeAndRefresh(
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
async function requireKeyCapacity(
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
async function makeRoomForKey(transaction: Prisma.TransactionClient, accountId: string, nowMs: number): Promise<void> {
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
function requireNotDisabledByOperator(row: ApiKey, by: Actor, action: string): void {
  if (row.disabledAt === null || !row.disabledByOperator || by.kind !== "owner") return;
  throw new AccessError("key_state", `An operator disabled this key. Only an operator can ${action} it.`);
}

export function requireConfirmation(by: Actor, why: string): void {
  if (by.kind === "operator-cli" || by.confirmed === true) return;
  throw new AccessError("confirmation_required", `${why} Enter your password to go on.`);
}

type Limits = Pick<ApiKey, "perMinuteLimit" | "perDayLimit">;

/** The limits that an account gives to its keys of a kind: the operator's, else the plan's. */
function getAccountLimits(account: Account, kind: KeyKind, nowMs: number) {
  const terms = getEntitlements(getPlanAt(account.plan, account.trialEndsAt?.getTime() ?? null, nowMs), kind);
  return { perMinute: account.perMinuteLimit ?? terms.perMinute, perDay: account.perDayLimit ?? terms.perDay };
}

/**
 * Checks a key's own limits. One that does not change is not refused, since the plan may have become smaller: the lower
 * of both limits applies.
 */
function checkKeyLimits(
  { perMinuteLimit, perDayLimit }: Limits,
  before: Limits,
  most: ReturnType<typeof getAccountLimits>,
): void {
  if (perMinuteLimit !== before.perMinuteLimit) checkLimit(perMinuteLimit, most.perMinute, "minute");
  if (perDayLimit !== before.perDayLimit) checkLimit(perDayLimit, most.perDay, "day");
}
