import type { AccessRows, AccountRow, KeyRow, LinkRow } from "@/lib/access/admission/access-rows";
import { createDayWindow, getDayStart } from "@/lib/access/admission/day-window";
import type { AccountEntry, KeyEntry, LinkEntry } from "@/lib/access/admission/entries";
import { createMinuteWindow } from "@/lib/access/admission/minute-window";
import { createAllowList } from "@/lib/access/allow-list";
import { getEntitlements, getPlanAt, NO_LIMIT } from "@/lib/access/plans";
import { isScope } from "@/lib/access/scopes";
import { createSymbolList } from "@/lib/access/symbol-list";

/** An account with the row that it was last read from. */
interface AccountRecord {
  readonly entry: AccountEntry;
  readonly keys: Set<KeyEntry>;
  row: AccountRow;
}

/** All keys and accounts, by id and by secret hash. Rows change the entries in place. */
export class EntryTable {
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
