import type { Pool } from "pg";
import type { AuditContent, Facts } from "@/lib/access/audit-event";
import { findNetwork } from "@/lib/access/ip-range";
import { isWidened, type KeyReach } from "@/lib/access/keys/key-reach";
import type { NewNotice } from "@/lib/access/notices/notices";
import { buildApprovalNotice, buildRefusalNotice, buildRequestNotices } from "@/lib/access/notices/plan-notices";
import type { KeyEvent, PasskeyEvent, SecurityFacts } from "@/lib/access/notices/security-text";
import { HOUR_MS } from "@/lib/time/units";

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

export function createAuditNotices(pool: Pool) {
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
        const notice = await buildNotice(pool, row);
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

async function buildNotice(pool: Pool, row: Row): Promise<NewNotice | null> {
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
