import type { Pool } from "pg";
import type { KeyKind, PlanName } from "@/lib/access/plans";

/** Accounts and keys as the directory reads them, with plain SQL because it polls five times a second. */

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly role: "operator" | "member";
  readonly plan: PlanName;
  readonly perMinuteLimit: number | null;
  readonly perDayLimit: number | null;
  readonly trialEndsAtMs: number | null;
  readonly suspended: boolean;
}

export interface KeyRow {
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
export interface LinkRow {
  readonly id: string;
  readonly keyId: string;
  readonly path: string;
  readonly query: string;
  readonly revoked: boolean;
}

export interface AccessRows {
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
export async function readRows(pool: Pool, since: bigint, dayMs: number): Promise<AccessRows> {
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
