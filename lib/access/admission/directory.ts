import {
  type AccessRows,
  type AccountRow,
  type KeyRow,
  readRevision,
  readRows,
} from "@/lib/access/admission/access-rows";
import { newDayWindow } from "@/lib/access/admission/day-window";
import type { AccountEntry, KeyEntry } from "@/lib/access/admission/entries";
import { newMinuteWindow } from "@/lib/access/admission/minute-window";
import { createAllowList } from "@/lib/access/allow-list";
import { isWellFormed } from "@/lib/access/keys/key-format";
import { getEntitlements, planAt } from "@/lib/access/plans";
import { hashSecret } from "@/lib/access/secret";
import { isScope } from "@/lib/access/scopes";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import type { Logger } from "@/lib/platform/log";
import { repeat, shareRuns } from "@/lib/platform/repetition";

export type { KeyEntry } from "@/lib/access/admission/entries";

/**
 * Every key and account in memory, so that checking a key touches no database. It follows the database by revision:
 * five times a second it asks what changed since, which is how a revocation by another process, such as the
 * operator's command, acts within a second. The database holds only hashes of secrets; the secrets of recent callers are in memory alone.
 */
export interface Directory {
  find(secretHash: string): KeyEntry | undefined;
  /** As `find`, without hashing a secret that was found before. A removed key stays, revoked. */
  findBySecret(secret: string): KeyEntry | undefined;
  key(id: string): KeyEntry | undefined;
  /** Every key there is, ended ones too. */
  keys(): Iterable<KeyEntry>;
  account(id: string): AccountEntry | undefined;
  /** Every key of one account, ended ones too. */
  keysOf(accountId: string): Iterable<KeyEntry>;
  /** Resolves once everything committed before this call is known here. Calls made together share the work. */
  refresh(): Promise<void>;
  /** Loads everything, then follows. Rejects when the database cannot be read. */
  start(): Promise<void>;
  stop(): void;
  /** The latest moment whose changes are all known here, UTC milliseconds; -Infinity before the first load. */
  readonly lastSyncAtMs: number;
}

interface Options {
  readonly now: Clock;
  readonly log: Logger;
  readonly pollMs?: number;
}

/** What the database says of an account, beside what is served from it. */
interface AccountRecord {
  readonly entry: AccountEntry;
  readonly keys: Set<KeyEntry>;
  row: AccountRow;
}

/** Rows written before revisions were raised carry 0, so nothing known yet is one less. */
const nothingYet = -1n;

const MAX_SECRETS = 10_000;

export function createDirectory(database: Database, { now, log, pollMs = 200 }: Options): Directory {
  const accounts = new Map<string, AccountRecord>();
  const keys = new Map<string, KeyEntry>();
  const keysByHash = new Map<string, KeyEntry>();
  /** Keys that have called: a hash costs more than all other checks. Entries change in place, revoked ones too. */
  const keysBySecret = new Map<string, KeyEntry>();
  const trials = new Set<AccountRecord>();
  let known = nothingYet;
  let lastSyncAtMs = -Infinity;

  async function load(): Promise<void> {
    const askedAtMs = now();
    const latest = await readRevision(database.pool);
    // A database put back from a backup has forgotten revisions: what is known of them is wrong, so start over.
    const since = latest < known ? nothingYet : known;
    if (latest !== known) {
      const rows = await readRows(database.pool, since);
      if (since === nothingYet) forget(rows);
      for (const row of rows.accounts) applyAccount(row);
      for (const row of rows.keys) if (!rows.closed.has(row.accountId)) applyKey(row);
      if (rows.closed.size > 0) removeAccounts((id) => rows.closed.has(id));
      known = latest;
    }
    for (const record of trials) if (planAt("trial", record.row.trialEndsAtMs, now()) !== "trial") settle(record);
    lastSyncAtMs = askedAtMs;
  }

  function forget(rows: AccessRows): void {
    const keptKeys = new Set(rows.keys.map(({ id }) => id));
    const keptAccounts = new Set(rows.accounts.map(({ id }) => id));
    removeKeys(({ id }) => !keptKeys.has(id));
    removeAccounts((id) => !keptAccounts.has(id));
  }

  function removeAccounts(isGone: (id: string) => boolean): void {
    removeKeys(({ accountId }) => isGone(accountId));
    for (const [id, record] of accounts) {
      if (!isGone(id)) continue;
      accounts.delete(id);
      trials.delete(record);
    }
  }

  function removeKeys(isGone: (key: KeyEntry) => boolean): void {
    for (const [hash, key] of keysByHash) {
      if (!isGone(key)) continue;
      keysByHash.delete(hash);
      // Whoever still holds the entry must not believe it.
      key.revoked = true;
      keys.delete(key.id);
      accounts.get(key.accountId)?.keys.delete(key);
    }
  }

  function applyAccount(row: AccountRow): void {
    let record = accounts.get(row.id);
    if (record === undefined) {
      const days = { standard: newDayWindow(), tool: newDayWindow() };
      const served = { plan: row.plan, suspended: false, perMinute: 0, perDay: 0 };
      const entry = { id: row.id, email: row.email, role: row.role, trialEndsAtMs: row.trialEndsAtMs, ...served, days };
      record = { entry, keys: new Set(), row };
      accounts.set(row.id, record);
    }
    record.row = row;
    settle(record);
  }

  /** Works out what an account and its keys are served, now. */
  function settle(record: AccountRecord): void {
    const { row, entry } = record;
    entry.email = row.email;
    entry.role = row.role;
    entry.suspended = row.suspended;
    entry.trialEndsAtMs = row.trialEndsAtMs;
    entry.plan = planAt(row.plan, row.trialEndsAtMs, now());
    if (entry.plan === "trial") trials.add(record);
    else trials.delete(record);
    const terms = getEntitlements(entry.plan, "standard");
    entry.perMinute = row.perMinuteLimit ?? terms.perMinute;
    entry.perDay = row.perDayLimit ?? terms.perDay;
    for (const key of record.keys) settleKey(key, record);
  }

  function settleKey(key: KeyEntry, { row, entry }: AccountRecord): void {
    key.entitlements = getEntitlements(entry.plan, key.kind);
    key.perMinute = row.perMinuteLimit ?? key.entitlements.perMinute;
    key.perDay = row.perDayLimit ?? key.entitlements.perDay;
    // A quota the operator set is the account's as a whole; otherwise tool keys have their own, and count on their own.
    key.day = key.kind === "tool" && row.perDayLimit === null ? entry.days.tool : entry.days.standard;
  }

  function applyKey(row: KeyRow): void {
    const record = accounts.get(row.accountId);
    if (record === undefined) throw new Error(`Key ${row.id} belongs to an account that was not read.`);
    let key = keys.get(row.id);
    if (key === undefined) {
      const { entry } = record;
      const entitlements = getEntitlements(entry.plan, row.kind);
      const limits = { entitlements, perMinute: 0, perDay: 0, minute: newMinuteWindow(), day: entry.days.standard };
      const { id, label, kind, accountId, expiresAtMs, revoked, disabled } = row;
      key = {
        id,
        label,
        kind,
        accountId,
        scopes: new Set(),
        allowList: null,
        expiresAtMs,
        revoked,
        disabled,
        notedAtMs: -Infinity,
        account: entry,
        ...limits,
      };
      keys.set(row.id, key);
      keysByHash.set(row.secretHash, key);
      record.keys.add(key);
    }
    key.label = row.label;
    key.kind = row.kind;
    key.scopes = new Set(row.scopes.filter(isScope));
    key.allowList = row.allowedCidrs.length === 0 ? null : createAllowList(row.allowedCidrs);
    key.expiresAtMs = row.expiresAtMs;
    key.revoked = row.revoked;
    key.disabled = row.disabled;
    settleKey(key, record);
  }

  function hashAndFind(secret: string): KeyEntry | undefined {
    const key = isWellFormed(secret) ? keysByHash.get(hashSecret(secret)) : undefined;
    if (key === undefined) return undefined;
    if (keysBySecret.size >= MAX_SECRETS) keysBySecret.clear();
    keysBySecret.set(secret, key);
    return key;
  }

  const refresh = shareRuns(load);
  const following = repeat(refresh, {
    pauseMs: pollMs,
    onLost: (error) => log.error({ err: error }, "accounts and keys cannot be read; serving what is known"),
    onBack: () => log.info("accounts and keys can be read again"),
  });

  return {
    find: (secretHash) => keysByHash.get(secretHash),
    findBySecret: (secret) => keysBySecret.get(secret) ?? hashAndFind(secret),
    key: (id) => keys.get(id),
    keys: () => keys.values(),
    account: (id) => accounts.get(id)?.entry,
    keysOf: (accountId) => accounts.get(accountId)?.keys ?? [],
    refresh,
    async start() {
      await refresh();
      following.start();
    },
    stop: following.stop,
    get lastSyncAtMs() {
      return lastSyncAtMs;
    },
  };
}
