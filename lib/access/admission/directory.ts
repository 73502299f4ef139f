import type { Pool } from "pg";
import { createDayWindow, type DayWindow, getDayStart } from "@/lib/access/admission/day-window";
import { createMinuteWindow, type MinuteWindow } from "@/lib/access/admission/minute-window";
import { type AllowList, createAllowList } from "@/lib/access/allow-list";
import { isWellFormed } from "@/lib/access/keys/key-format";
import {
  type Entitlements,
  getEntitlements,
  getPlanAt,
  type KeyKind,
  NO_LIMIT,
  type PlanName,
} from "@/lib/access/plans";
import { isScope, type Scope } from "@/lib/access/scopes";
import { hashSecret } from "@/lib/access/secret";
import { createSymbolList, type SymbolList } from "@/lib/access/symbol-list";
import type { Database } from "@/lib/platform/database/database";
import { BEFORE_ALL, createUpdate, follow } from "@/lib/platform/database/revision";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

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
  /** The newest change that was seen. */
  readonly revision: bigint;
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
  let revision = BEFORE_ALL;

  const updateRows = createUpdate(
    async () => (revision = await readRevision(database.pool)),
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
    get revision() {
      return revision;
    },
  };
}

/** An account with the row that it was last read from. */
interface AccountRecord {
  readonly entry: AccountEntry;
  readonly keys: Set<KeyEntry>;
  row: AccountRow;
}

/** All keys and accounts, by id and by secret hash. Rows change the entries in place. */
class EntryTable {
  private readonly accounts = new Map<string, AccountRecord>();
  private readonly keys = new Map<string, KeyEntry>();
  private readonly keysByHash = new Map<string, KeyEntry>();
  private readonly links = new Map<string, LinkEntry>();
  private readonly trials = new Set<AccountRecord>();
  /** The origins of all keys that are not revoked. */
  private origins: ReadonlySet<string> = new Set();

  findByHash(secretHash: string): KeyEntry | undefined {
    return this.keysByHash.get(secretHash);
  }

  findKey(id: string): KeyEntry | undefined {
    return this.keys.get(id);
  }

  findLink(id: string): LinkEntry | undefined {
    return this.links.get(id);
  }

  hasOrigin(origin?: string): boolean {
    return origin === undefined ? this.origins.size > 0 : this.origins.has(origin);
  }

  listKeys(): Iterable<KeyEntry> {
    return this.keys.values();
  }

  findAccount(id: string): AccountEntry | undefined {
    return this.accounts.get(id)?.entry;
  }

  listAccountKeys(accountId: string): Iterable<KeyEntry> {
    return this.accounts.get(accountId)?.keys ?? [];
  }

  /** Applies changed rows. Accounts come first, because a key needs its account. */
  apply(rows: AccessRows, nowMs: number): void {
    for (const row of rows.accounts) this.applyAccount(row, nowMs);
    for (const row of rows.keys) if (!rows.closed.has(row.accountId)) this.applyKey(row, nowMs);
    for (const row of rows.links) this.applyLink(row);
    if (rows.closed.size > 0) this.removeAccounts((id) => rows.closed.has(id));
    if (rows.keys.length + rows.closed.size > 0) this.collectOrigins();
  }

  /** Removes everything that is not in a complete set of rows. */
  retain(rows: AccessRows): void {
    const keyIds = new Set(rows.keys.map(({ id }) => id));
    const accountIds = new Set(rows.accounts.map(({ id }) => id));
    const linkIds = new Set(rows.links.map(({ id }) => id));
    for (const id of this.links.keys()) if (!linkIds.has(id)) this.links.delete(id);
    this.removeKeys(({ id }) => !keyIds.has(id));
    this.collectOrigins();
    this.removeAccounts((id) => !accountIds.has(id));
  }

  /** Applies the end of trials, which changes no row. */
  endTrials(nowMs: number): void {
    for (const record of this.trials) {
      if (getPlanAt("trial", record.row.trialEndsAtMs, nowMs) !== "trial") this.updateAccount(record, nowMs);
    }
  }

  private applyAccount(row: AccountRow, nowMs: number): void {
    let record = this.accounts.get(row.id);
    if (record === undefined) {
      record = { entry: createAccountEntry(row), keys: new Set(), row };
      this.accounts.set(row.id, record);
    }
    record.row = row;
    this.updateAccount(record, nowMs);
  }

  private updateAccount(record: AccountRecord, nowMs: number): void {
    const { row, entry } = record;
    entry.email = row.email;
    entry.role = row.role;
    entry.suspended = row.suspended;
    entry.trialEndsAtMs = row.trialEndsAtMs;
    entry.plan = getPlanAt(row.plan, row.trialEndsAtMs, nowMs);
    if (entry.plan === "trial") this.trials.add(record);
    else this.trials.delete(record);
    const terms = getEntitlements(entry.plan, "standard");
    entry.perMinute = row.perMinuteLimit ?? terms.perMinute;
    entry.perDay = row.perDayLimit ?? terms.perDay;
    for (const key of record.keys) updateLimits(key, row);
  }

  private applyKey(row: KeyRow, nowMs: number): void {
    const record = this.accounts.get(row.accountId);
    if (record === undefined) throw new Error(`Key ${row.id} belongs to an account that was not read.`);
    const existing = this.keys.get(row.id);
    const key = existing ?? createKeyEntry(row, record.entry);
    if (existing === undefined) {
      this.keys.set(row.id, key);
      this.keysByHash.set(row.secretHash, key);
      record.keys.add(key);
    } else Object.assign(key, readSettings(row));
    updateOwnDay(key, row, nowMs);
    updateLimits(key, record.row);
  }

  private applyLink({ revoked, ...link }: LinkRow): void {
    const existing = this.links.get(link.id);
    if (existing === undefined) this.links.set(link.id, { ...link, revoked, notedAtMs: -Infinity });
    else existing.revoked = revoked;
  }

  private collectOrigins(): void {
    const origins = new Set<string>();
    for (const key of this.keys.values()) {
      if (!key.revoked && !key.disabled) for (const origin of key.origins ?? []) origins.add(origin);
    }
    this.origins = origins;
  }

  private removeAccounts(isGone: (id: string) => boolean): void {
    this.removeKeys(({ accountId }) => isGone(accountId));
    for (const [id, record] of this.accounts) {
      if (!isGone(id)) continue;
      this.accounts.delete(id);
      this.trials.delete(record);
    }
  }

  private removeKeys(isGone: (key: KeyEntry) => boolean): void {
    for (const [hash, key] of this.keysByHash) {
      if (!isGone(key)) continue;
      this.keysByHash.delete(hash);
      // A call in progress may still hold the entry.
      key.revoked = true;
      this.keys.delete(key.id);
      this.accounts.get(key.accountId)?.keys.delete(key);
    }
  }
}

function createAccountEntry({ id, email, role, plan, suspended, trialEndsAtMs }: AccountRow): AccountEntry {
  const days = { standard: createDayWindow(), tool: createDayWindow() };
  return { id, email, role, plan, trialEndsAtMs, suspended, perMinute: 0, perDay: 0, days };
}

function createKeyEntry(row: KeyRow, account: AccountEntry): KeyEntry {
  return {
    id: row.id,
    start: row.start,
    accountId: row.accountId,
    account,
    ...readSettings(row),
    entitlements: getEntitlements(account.plan, row.kind),
    perMinute: 0,
    perDay: 0,
    notedAtMs: -Infinity,
    minute: createMinuteWindow(),
    day: account.days.standard,
    ownDay: null,
  };
}

/** The fields of a key entry that its row alone decides. */
function readSettings(row: KeyRow) {
  const { label, kind, scopes, allowedCidrs, allowedEndpoints, allowedSymbols, allowedOrigins } = row;
  const { expiresAtMs, revoked, disabled } = row;
  return {
    label,
    kind,
    scopes: new Set(scopes.filter(isScope)),
    allowList: allowedCidrs.length === 0 ? null : createAllowList(allowedCidrs),
    endpoints: allowedEndpoints.length === 0 ? null : new Set(allowedEndpoints),
    symbols: allowedSymbols.length === 0 ? null : createSymbolList(allowedSymbols),
    origins: allowedOrigins.length === 0 ? null : new Set(allowedOrigins),
    ownPerMinute: row.perMinuteLimit ?? NO_LIMIT,
    ownPerDay: row.perDayLimit ?? NO_LIMIT,
    expiresAtMs,
    revoked,
    disabled,
  };
}

/** A key that gets a limit of its own begins with the calls that it has already made today. */
function updateOwnDay(key: KeyEntry, { perDayLimit, callsToday, creditsToday }: KeyRow, nowMs: number): void {
  if (perDayLimit === null) key.ownDay = null;
  else key.ownDay ??= { ...createDayWindow(), dayMs: getDayStart(nowMs), used: callsToday, credits: creditsToday };
}

/** The fields of a key entry that its account decides too. */
function updateLimits(key: KeyEntry, { perMinuteLimit, perDayLimit }: AccountRow): void {
  key.entitlements = getEntitlements(key.account.plan, key.kind);
  key.perMinute = Math.min(key.ownPerMinute, perMinuteLimit ?? key.entitlements.perMinute);
  key.perDay = perDayLimit ?? key.entitlements.perDay;
  // A quota that the operator sets is the whole account's. Otherwise tool keys have a quota of their own.
  key.day = key.kind === "tool" && perDayLimit === null ? key.account.days.tool : key.account.days.standard;
}

/** Accounts and keys as the directory reads them, with plain SQL because it polls five times a second. */

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly role: "operator" | "member";
  readonly plan: PlanName;
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  readonly trialEndsAtMs: number | null;
  readonly suspended: boolean;
}

interface KeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly start: string;
  readonly kind: KeyKind;
  readonly secretHash: string;
  readonly scopes: readonly string[];
  readonly allowedCidrs: readonly string[];
  /** Empty allows all. */
  readonly allowedEndpoints: readonly string[];
  readonly allowedSymbols: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The key's own limits; null follows the account. */
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  /** Calls that counted since midnight UTC and their credits, up to a second late; 0 without a limit of its own. */
  readonly callsToday: number;
  readonly creditsToday: number;
  readonly expiresAtMs: number;
  readonly revoked: boolean;
  readonly disabled: boolean;
}

/** An address with a token in place of a key. */
interface LinkRow {
  readonly id: string;
  readonly keyId: string;
  readonly path: string;
  readonly query: string;
  readonly revoked: boolean;
}

interface AccessRows {
  readonly accounts: readonly AccountRow[];
  readonly keys: readonly KeyRow[];
  readonly links: readonly LinkRow[];
  /** Ids of closed accounts. */
  readonly closed: ReadonlySet<string>;
}

/** The revision of the latest committed change; 0 before the first. */
export async function readRevision(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ value: string }>("SELECT value FROM access_revision WHERE id = 1");
  return BigInt(rows[0]?.value ?? 0);
}

/**
 * Reads what changed after revision `since`. Keys before accounts, so that the account of every key is visible even if
 * both are created in between. Closed accounts last, so that one closed in between is among them. `dayMs` is the start of
 * today.
 */
async function readRows(pool: Pool, since: bigint, dayMs: number): Promise<AccessRows> {
  const links = await pool.query<LinkRow>(
    `SELECT id, key_id AS "keyId", path, query, revoked_at IS NOT NULL AS revoked FROM key_link WHERE revision > $1`,
    [String(since)],
  );
  const keys = await pool.query<KeyRow>(
    `SELECT id, account_id AS "accountId", label, start, kind, secret_hash AS "secretHash", scopes,
            allowed_cidrs AS "allowedCidrs", allowed_endpoints AS "allowedEndpoints",
            allowed_symbols AS "allowedSymbols", allowed_origins AS "allowedOrigins",
            per_minute_limit AS "perMinuteLimit", per_day_limit AS "perDayLimit",
            coalesce(today.calls, 0)::float8 AS "callsToday", coalesce(today.credits, 0)::float8 AS "creditsToday",
            revoked_at IS NOT NULL AS revoked, disabled_at IS NOT NULL AS disabled,
            coalesce((extract(epoch FROM expires_at) * 1000)::float8, 'Infinity') AS "expiresAtMs"
       FROM api_key LEFT JOIN LATERAL (
              SELECT sum(calls) AS calls, sum(credits) AS credits FROM usage_hour
               WHERE per_day_limit IS NOT NULL AND key_id = api_key.id
                 AND hour >= to_timestamp($2::float8 / 1000) AND status BETWEEN 200 AND 299
            ) AS today ON true
      WHERE api_key.revision > $1`,
    [String(since), dayMs],
  );
  const accounts = await pool.query<AccountRow>(
    `SELECT id, email, role, plan, per_minute_limit AS "perMinuteLimit", per_day_limit AS "perDayLimit",
            (extract(epoch FROM trial_ends_at) * 1000)::float8 AS "trialEndsAtMs", suspended_at IS NOT NULL AS suspended
       FROM account WHERE revision > $1`,
    [String(since)],
  );
  const closed = await pool.query<{ id: string }>("SELECT id FROM closed_account WHERE revision > $1", [String(since)]);
  return {
    accounts: accounts.rows,
    keys: keys.rows,
    links: links.rows,
    closed: new Set(closed.rows.map(({ id }) => id)),
  };
}

/**
 * Keys and accounts in memory, as requests use them. The directory changes them in place, so a holder sees every change,
 * and the counters survive it. Other code writes only the counters.
 */

interface AccountEntry {
  readonly id: string;
  email: string;
  role: "operator" | "member";
  /** The active plan: a trial becomes "free" here when it ends. */
  plan: PlanName;
  /** UTC milliseconds, or null without a trial. */
  trialEndsAtMs: number | null;
  suspended: boolean;
  /** The limits of standard keys: the operator's, else the plan's. */
  perMinute: number;
  perDay: number;
  /** The daily quotas by kind of key. A call counts on its key's `day`, which is one of these. */
  readonly days: Readonly<Record<KeyKind, DayWindow>>;
}

export interface KeyEntry {
  readonly id: string;
  label: string;
  /** The start of the secret, as the dashboard shows it: "fxk_live_3f9a". */
  readonly start: string;
  kind: KeyKind;
  readonly accountId: string;
  scopes: ReadonlySet<Scope>;
  /** Null allows every address. */
  allowList: AllowList | null;
  /** Path templates; null allows every endpoint of the scopes. */
  endpoints: ReadonlySet<string> | null;
  /** Null allows every symbol. */
  symbols: SymbolList | null;
  /** Origins of pages, as browsers send them; null allows all. */
  origins: ReadonlySet<string> | null;
  /** UTC milliseconds; Infinity for a key that does not expire. */
  expiresAtMs: number;
  revoked: boolean;
  disabled: boolean;
  readonly account: AccountEntry;
  /** The terms of the plan and the kind of key; `name` is the plan to show. */
  entitlements: Entitlements;
  /** The active limits: the operator's, else those of plan and kind. The minute is the key's own where that is lower. */
  perMinute: number;
  perDay: number;
  /** The key's own limits; NO_LIMIT without one. */
  ownPerMinute: number;
  ownPerDay: number;
  /** When the last use was last recorded, UTC milliseconds; see usage.ts. A counter, too. */
  notedAtMs: number;
  readonly minute: MinuteWindow;
  /** The daily quota of the account, shared with its other keys. */
  day: DayWindow;
  /** Counts this key alone; null unless it has a limit of its own. */
  ownDay: DayWindow | null;
}

/** An address with a token in place of a key; see lib/access/links.ts. */
export interface LinkEntry {
  readonly id: string;
  readonly keyId: string;
  readonly path: string;
  /** The parameters that it fixes, as a query string. */
  readonly query: string;
  revoked: boolean;
  /** When the last use was last recorded, UTC milliseconds. A counter. */
  notedAtMs: number;
}
