import type { Pool } from "pg";
import { countUsedToday } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { findNetwork } from "@/lib/access/allow-list";
import type { AuditContent, Facts } from "@/lib/access/audit/record";
import { isWidened, type KeyReach } from "@/lib/access/keys/key";
import { UNUSED_DAYS } from "@/lib/access/keys/key-life";
import type { KeyUses } from "@/lib/access/notices/key-uses";
import {
  buildApprovalNotice,
  buildRefusalNotice,
  buildRequestNotices,
  type DueMail,
  findNoticePath,
  formatNoticeText,
  formatNoticeTitle,
  type KeyEvent,
  type NewNotice,
  type Notices,
  type PasskeyEvent,
  type SecurityFacts,
} from "@/lib/access/notices/notices";
import { NO_LIMIT } from "@/lib/access/plans";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import { createMailer, type Mailer } from "@/lib/platform/mail";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly keyUses: KeyUses;
  readonly directory: Pick<Directory, "keys">;
  readonly notices: Notices;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
  /** The base of links in mails, without a slash at the end. */
  readonly publicUrl: string;
  readonly now: Clock;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** What a notice is about: a daily quota, or a key that expires. */
type Subject = KeyEntry["day"] | KeyEntry;

const MAIL_PAUSE_MS = 15 * SECOND_MS;

/**
 * Checks quotas, expiring and unused keys, the uses of keys and the audit log every few seconds and notifies the accounts. It reads
 * what calls leave in memory, so that no call waits for it.
 */
export function createNoticeWatch(options: Options) {
  const { pool, keyUses, directory, notices, mailer, publicUrl, now, log, pauseMs = 3_000 } = options;
  const auditNotices = createAuditNotices(pool);
  const unusedKeys = createUnusedKeys(pool);
  /** The topic and level of the last notice about each subject, so that each notice is written once. */
  const written = new WeakMap<Subject, string>();
  let mailsCheckedAtMs = -Infinity;

  async function writeNotices(): Promise<void> {
    const due = findDueNotices();
    await add([...due.values()]);
    for (const [subject, notice] of due) written.set(subject, describe(notice));
    await keyUses.flush(pool, add);
    await auditNotices.flush(add);
    await unusedKeys.flush(add, now());
  }

  async function add(due: readonly NewNotice[]): Promise<void> {
    await notices.add(due, mailer !== null);
    if (due.length > 0) mailsCheckedAtMs = -Infinity;
  }

  function findDueNotices(): Map<Subject, NewNotice> {
    const nowMs = now();
    const due = new Map<Subject, NewNotice>();
    const days = new Set<Subject>();
    const add = (subject: Subject, notice: NewNotice | null) => {
      if (notice !== null && written.get(subject) !== describe(notice)) due.set(subject, notice);
    };
    for (const key of directory.keys()) {
      if (key.account.suspended) continue;
      if (!days.has(key.day)) add(key.day, buildQuotaNotice(key, nowMs));
      days.add(key.day);
      add(key, buildExpiryNotice(key, nowMs));
    }
    return due;
  }

  async function sendMails(to: Mailer): Promise<void> {
    if (now() < mailsCheckedAtMs + MAIL_PAUSE_MS) return;
    for (const mail of await notices.claimDueMails()) await sendMail(to, mail);
    mailsCheckedAtMs = now();
  }

  async function sendMail(to: Mailer, mail: DueMail): Promise<void> {
    const { id, email, facts, createdAtMs } = mail;
    const text = `${formatNoticeText(facts)}\n\n${publicUrl}${findNoticePath(facts)}\n`;
    try {
      // What was added to a notice is another mail, which must not look like the first one arriving twice.
      await to.send({ to: email, subject: formatNoticeTitle(facts), text, id: `${id}-${createdAtMs}` });
    } catch (error) {
      const isRetried = await notices.retryMail(mail);
      const message = isRetried ? "notice mail failed; trying again" : "notice mail failed; giving up";
      log.error({ err: error, notice: id }, message);
    }
  }

  async function check(): Promise<void> {
    await writeNotices();
    if (mailer !== null) await sendMails(mailer);
  }

  const checking = repeat(check, {
    pauseMs,
    onFailure: (error) => log.error({ err: error }, "notices cannot be written; trying again"),
    onRecovery: () => log.info("notices can be written again"),
  });

  return {
    /** Writes and mails the notices that are due now. */
    check,
    async start(): Promise<void> {
      await notices.deleteOld();
      checking.start();
    },
    stop: (): void => checking.stop(),
  };
}

function describe({ topic, level }: NewNotice): string {
  return `${topic} ${level}`;
}

/** Starts the watch with the operator's mail server, if one is configured. */
export async function startNoticeWatch({
  config: { mail, publicUrl },
  database: { pool },
  ...parts
}: Omit<Options, "mailer" | "publicUrl" | "pool"> & {
  readonly config: Pick<Config, "mail" | "publicUrl">;
  readonly database: Pick<Database, "pool">;
}) {
  const watch = createNoticeWatch({ ...parts, pool, publicUrl, mailer: mail && createMailer(mail) });
  await watch.start();
  return watch;
}

const QUOTA_PERCENTS = [100, 80, 50] as const;
const EXPIRY_REMINDERS = [
  { days: 1, level: 2 },
  { days: 7, level: 1 },
] as const;

/** The notice about the key's daily quota that is due now, or null. Its level is the percentage. */
function buildQuotaNotice({ day, perDay: limit, account }: KeyEntry, nowMs: number): NewNotice | null {
  const used = countUsedToday(day, nowMs);
  const percent = QUOTA_PERCENTS.find((each) => used * 100 >= limit * each);
  if (limit === NO_LIMIT || percent === undefined) return null;
  const keys = day === account.days.tool ? "tool" : "account";
  const date = new Date(nowMs).toISOString().slice(0, 10);
  return {
    accountId: account.id,
    topic: `quota ${keys} ${date}`,
    level: percent,
    facts: { kind: "quota", keys, day: date, percent, used, limit },
  };
}

/** The reminder of the key's end that is due now, or null. Not for keys that were created with a shorter life. */
function buildExpiryNotice(key: KeyEntry, nowMs: number): NewNotice | null {
  const leftMs = key.expiresAtMs - nowMs;
  const reminder = EXPIRY_REMINDERS.find(({ days }) => leftMs <= days * DAY_MS);
  if (reminder === undefined || leftMs <= 0 || key.revoked) return null;
  const { days, level } = reminder;
  const expiresAt = new Date(key.expiresAtMs).toISOString();
  return {
    accountId: key.accountId,
    topic: `end of key ${key.id} ${expiresAt}`,
    level,
    facts: { kind: "expiry", keyId: key.id, label: key.label, expiresAt, days },
    keyOlderThanMs: key.expiresAtMs - days * DAY_MS,
  };
}

/**
 * Makes a notice of each key that has not been used for long, once: another one only if the key was used again in
 * between. Looks once an hour.
 */
export function createUnusedKeys(pool: Pool) {
  let checkedAtMs = -Infinity;
  return {
    /** Passes the notices that are due to `write`. */
    async flush(write: (notices: readonly NewNotice[]) => Promise<void>, nowMs: number): Promise<void> {
      if (nowMs < checkedAtMs + HOUR_MS && nowMs >= checkedAtMs) return;
      const keys = await readUnused(pool, nowMs);
      await write(keys.map(buildNotice));
      // After the notices: they are unique, so one that is written again is ignored.
      await markReported(pool, keys, nowMs);
      checkedAtMs = nowMs;
    },
  };
}

interface UnusedKey {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** The keys that could be used, were not for `UNUSED_DAYS`, and were not reported since their last use. */
async function readUnused(pool: Pool, nowMs: number): Promise<UnusedKey[]> {
  const { rows } = await pool.query<UnusedKey>(
    `SELECT api_key.id, account_id AS "accountId", label,
            (extract(epoch FROM api_key.created_at) * 1000)::float8 AS "createdAtMs",
            (extract(epoch FROM last_used_at) * 1000)::float8 AS "lastUsedAtMs"
       FROM api_key JOIN account ON account.id = account_id
      WHERE coalesce(last_used_at, api_key.created_at) <= to_timestamp($2::float8 / 1000)
        AND (unused_reported_at IS NULL OR unused_reported_at < last_used_at)
        AND revoked_at IS NULL AND disabled_at IS NULL AND suspended_at IS NULL
        AND (expires_at IS NULL OR expires_at > to_timestamp($1::float8 / 1000))`,
    [nowMs, nowMs - UNUSED_DAYS * DAY_MS],
  );
  return rows;
}

function buildNotice({ id, accountId, label, createdAtMs, lastUsedAtMs }: UnusedKey): NewNotice {
  const createdOn = formatDay(createdAtMs);
  const lastUsedOn = lastUsedAtMs === null ? null : formatDay(lastUsedAtMs);
  return {
    accountId,
    topic: `unused key ${id} ${lastUsedOn ?? createdOn}`,
    level: 1,
    facts: { kind: "unused", keyId: id, label, createdOn, lastUsedOn },
  };
}

function formatDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

async function markReported(pool: Pool, keys: readonly UnusedKey[], nowMs: number): Promise<void> {
  if (keys.length === 0) return;
  await pool.query(
    "UPDATE api_key SET unused_reported_at = to_timestamp($2::float8 / 1000) WHERE id = ANY($1::uuid[])",
    [keys.map(({ id }) => id), nowMs],
  );
}

/**
 * Makes notices of events of the audit log, so that none is lost, whichever process made the change. The position in the
 * log is stored, and a notice has an event once, so an event that is read again gives no second notice. Most topics are
 * those of an hour, in which events of a kind share a notice.
 */

interface Row extends AuditContent {
  /** The current label of the key; null without a key, or if it was removed. */
  readonly label: string | null;
}

const SETTING = "notices-read";
const MAX_EVENTS = 500;

function createAuditNotices(pool: Pool) {
  let position: number | null = null;
  return {
    /** Passes the notices about the events since the last call to `write`. The first call ever finds none. */
    async flush(write: (notices: readonly NewNotice[]) => Promise<void>): Promise<void> {
      position ??= await readPosition(pool);
      const rows = await readEvents(pool, position);
      const last = rows.at(-1);
      if (last === undefined) return;
      const notices: NewNotice[] = [];
      for (const row of rows) {
        if (row.event === "plan_request.create") notices.push(...(await buildRequestNotices(pool, row)));
        const notice = await buildAuditNotice(pool, row);
        if (notice !== null) notices.push(notice);
      }
      await write(notices);
      const { seq } = last;
      await pool.query("UPDATE setting SET value = greatest(value::bigint, $2)::text WHERE name = $1", [SETTING, seq]);
      position = seq;
    },
  };
}

/** Where reading continues: on a new installation, or after an update, at the end of the log. */
async function readPosition(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ value: string }>(
    `WITH added AS (INSERT INTO setting (name, value)
       SELECT $1, coalesce(max(seq), 0)::text FROM audit_event ON CONFLICT DO NOTHING RETURNING value)
     SELECT value FROM added UNION ALL SELECT value FROM setting WHERE name = $1`,
    [SETTING],
  );
  return Number(rows[0]?.value ?? 0);
}

async function readEvents(pool: Pool, after: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `SELECT seq::float8 AS seq, (extract(epoch FROM at) * 1000)::float8 AS "atMs", event, actor,
            audit_event.account_id AS "accountId", key_id AS "keyId", address, before, after, label
       FROM audit_event LEFT JOIN api_key ON api_key.id = key_id
      WHERE seq > $1 ORDER BY seq LIMIT ${MAX_EVENTS}`,
    [after],
  );
  return rows;
}

async function buildAuditNotice(pool: Pool, row: Row): Promise<NewNotice | null> {
  switch (row.event) {
    case "key.create":
      return buildKeyNotice(row, row.after?.replaces === undefined ? "key created" : "key rotated", "");
    case "key.update":
      return isWidened(toReach(row.before), toReach(row.after))
        ? buildKeyNotice(row, "key widened", toHour(row))
        : null;
    case "key.enable":
      return buildKeyNotice(row, "key enabled", toHour(row));
    case "key.restore":
      return buildKeyNotice(row, "key restored", toHour(row));
    case "key.create_link":
      return buildLinkNotice(row);
    case "account.disable_second_factor":
    case "account.reset_second_factor":
      return toNotice(row, `second factor off ${toHour(row)}`, { event: "second factor off", ...toShared(row) });
    case "account.set_password":
      return toNotice(row, `password changed ${toHour(row)}`, { event: "password changed", ...toShared(row) });
    case "device.delete":
      return row.after?.moved === true
        ? toNotice(row, `device moved ${toHour(row)}`, { event: "device moved", ...toShared(row), byOperator: false })
        : null;
    case "account.add_passkey":
      return buildPasskeyNotice(row, "passkey added", row.after);
    case "account.remove_passkey":
      return buildPasskeyNotice(row, "passkey removed", row.before);
    case "account.refuse_passkey":
      return buildPasskeyNotice(row, "passkey refused", row.after);
    case "account.set_plan":
      return buildApprovalNotice(row);
    case "plan_request.decline":
      return buildRefusalNotice(row);
    case "session.start":
      return (await isNewPlace(pool, row)) ? buildSignInNotice(row) : null;
    default:
      return null;
  }
}

function buildPasskeyNotice(row: Row, event: PasskeyEvent, facts: Facts | null): NewNotice {
  const shared = toShared(row);
  const address = event === "passkey refused" ? row.address : shared.address;
  const byOperator = event !== "passkey refused" && shared.byOperator;
  const topic = `${event} ${String(facts?.passkey)} ${toHour(row)}`;
  return toNotice(row, topic, { event, passkey: String(facts?.name), ...shared, address, byOperator });
}

function buildKeyNotice(row: Row, event: KeyEvent, hour: string) {
  const { keyId, label } = row;
  if (keyId === null || label === null) return null;
  return toNotice(row, `${event} ${keyId} ${hour}`.trim(), { event, keyId, label, ...toShared(row) });
}

function buildLinkNotice(row: Row) {
  const { keyId, label, after } = row;
  if (keyId === null || label === null) return null;
  const link = { event: "link created", path: String(after?.path) } as const;
  return toNotice(row, `link created ${keyId} ${toHour(row)}`, { ...link, keyId, label, ...toShared(row) });
}

function buildSignInNotice(row: Row): NewNotice {
  const browser = String(row.after?.browser ?? "A browser");
  return toNotice(row, `sign-in ${toHour(row)}`, { event: "sign-in", browser, ...toShared(row) });
}

/** Whether the account was signed in to before, but never from the network of this event. */
async function isNewPlace(pool: Pool, { accountId, address, seq }: Row): Promise<boolean> {
  if (address === null) return false;
  const network = findNetwork(address);
  const { rows } = await pool.query<{ address: string }>(
    `SELECT DISTINCT address FROM audit_event
      WHERE account_id = $1 AND event = 'session.start' AND address IS NOT NULL AND seq < $2`,
    [accountId, seq],
  );
  return rows.length > 0 && rows.every((earlier) => findNetwork(earlier.address) !== network);
}

function toNotice({ accountId, atMs }: Row, topic: string, facts: SecurityFacts): NewNotice {
  return { accountId, topic, level: 1, facts, againAtMs: (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS };
}

/** The address of an operator is not the owner's to know. */
function toShared({ atMs, actor, accountId, address }: Row) {
  const byOperator = actor !== accountId;
  const at = new Date(atMs).toISOString();
  return { kind: "security", at, byOperator, address: byOperator ? null : address } as const;
}

function toHour({ atMs }: Row): string {
  return new Date(atMs).toISOString().slice(0, 13);
}

/** The reach of a key by the facts of an event, which has only those that changed. */
function toReach(facts: Facts | null): KeyReach {
  const list = (value: Facts[string] | undefined) => (Array.isArray(value) ? (value as readonly string[]) : []);
  const limit = (value: Facts[string] | undefined) => (typeof value === "number" ? value : null);
  const end = facts?.expires_at;
  return {
    scopes: list(facts?.scopes),
    allowedCidrs: list(facts?.ips),
    allowedEndpoints: list(facts?.endpoints),
    allowedSymbols: list(facts?.symbols),
    allowedOrigins: list(facts?.origins),
    perMinuteLimit: limit(facts?.per_minute),
    perDayLimit: limit(facts?.per_day),
    expiresAt: typeof end === "string" ? new Date(end) : null,
  };
}
