import { readRevision, readRows } from "@/lib/access/admission/access-rows";
import { getDayStart } from "@/lib/access/admission/day-window";
import type { AccountEntry, KeyEntry, LinkEntry } from "@/lib/access/admission/entries";
import { EntryTable } from "@/lib/access/admission/entry-table";
import { isWellFormed } from "@/lib/access/keys/key-format";
import { hashSecret } from "@/lib/access/secret";
import type { Database } from "@/lib/platform/database/database";
import { BEFORE_ALL, createUpdate, follow } from "@/lib/platform/database/revision";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

export type { KeyEntry } from "@/lib/access/admission/entries";

/**
 * Every key and account in memory, so that checking a key needs no database. Polls the database for changes five times a
 * second, so a change by another process, such as the operator's command line, is active within a second. The database
 * holds only hashes of secrets; the secrets of recent callers are in memory alone.
 */
export interface Directory {
  find(secretHash: string): KeyEntry | undefined;
  /** Like `find`, without hashing a secret that was found before. A removed key stays, revoked. */
  findBySecret(secret: string): KeyEntry | undefined;
  key(id: string): KeyEntry | undefined;
  /** Every key, including ended ones. */
  keys(): Iterable<KeyEntry>;
  link(id: string): LinkEntry | undefined;
  /** Whether an active key lists this origin, or any if none is given. */
  hasOrigin(origin?: string): boolean;
  account(id: string): AccountEntry | undefined;
  /** Every key of one account, including ended ones. */
  listAccountKeys(accountId: string): Iterable<KeyEntry>;
  /** Resolves once everything committed before this call is loaded. Concurrent calls share the work. */
  refresh(): Promise<void>;
  /** Loads everything, then polls for changes. Rejects if the database cannot be read. */
  start(): Promise<void>;
  stop(): void;
  /** Milliseconds since the last poll that succeeded. */
  getSilenceMs(): number;
  /** The time up to which all changes are loaded, UTC milliseconds; -Infinity before the first load. */
  readonly lastSyncAtMs: number;
}

interface Options {
  readonly now: Clock;
  readonly log: Logger;
  readonly pollMs?: number;
}

const MAX_SECRETS = 10_000;

export function createDirectory(database: Database, { now, log, pollMs = 200 }: Options): Directory {
  const entries = new EntryTable();
  /** Keys that have called: a hash costs more than all other checks. Entries change in place, revoked ones too. */
  const keysBySecret = new Map<string, KeyEntry>();
  let lastSyncAtMs = -Infinity;

  const updateRows = createUpdate(
    () => readRevision(database.pool),
    async (since) => {
      const rows = await readRows(database.pool, since, getDayStart(now()));
      if (since === BEFORE_ALL) {
        entries.retain(rows);
        // A key that a restored backup lacks may come back in a new entry.
        keysBySecret.clear();
      }
      entries.apply(rows, now());
    },
  );

  async function update(): Promise<void> {
    const startedAtMs = now();
    await updateRows();
    entries.endTrials(now());
    lastSyncAtMs = startedAtMs;
  }

  function hashAndFind(secret: string): KeyEntry | undefined {
    const key = isWellFormed(secret) ? entries.findByHash(hashSecret(secret)) : undefined;
    if (key === undefined) return undefined;
    if (keysBySecret.size >= MAX_SECRETS) keysBySecret.clear();
    keysBySecret.set(secret, key);
    return key;
  }

  const follower = follow(update, {
    pauseMs: pollMs,
    onFailure: (error) => log.error({ err: error }, "accounts and keys cannot be read; serving the last state"),
    onRecovery: () => log.info("accounts and keys can be read again"),
  });

  return {
    find: (secretHash) => entries.findByHash(secretHash),
    findBySecret: (secret) => keysBySecret.get(secret) ?? hashAndFind(secret),
    key: (id) => entries.findKey(id),
    keys: () => entries.listKeys(),
    link: (id) => entries.findLink(id),
    hasOrigin: (origin) => entries.hasOrigin(origin),
    account: (id) => entries.findAccount(id),
    listAccountKeys: (accountId) => entries.listAccountKeys(accountId),
    ...follower,
    get lastSyncAtMs() {
      return lastSyncAtMs;
    },
  };
}
