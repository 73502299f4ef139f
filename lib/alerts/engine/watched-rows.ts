import type { Pool } from "pg";
import { type Condition, conditionSchema } from "@/lib/alerts/conditions/condition";
import type { AlertState } from "@/lib/alerts/conditions/evaluate";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";

/** The active alerts in the database, with plain SQL. */

export interface WatchedRow {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly condition: Condition;
  readonly active: boolean;
  readonly cooldownS: number | null;
  readonly state: AlertState | null;
  readonly firings: number;
  readonly lastFiredAtMs: number | null;
  readonly revision: string;
}

const COLUMNS = `id, account_id AS "accountId", name, condition, active, cooldown_s AS "cooldownS", state, firings,
  (extract(epoch FROM last_fired_at) * 1000)::float8 AS "lastFiredAtMs", revision::text AS revision`;

/** The alerts that were changed after a revision, also those that are no longer active. */
export async function readChangedAlerts(pool: Pool, since: bigint): Promise<WatchedRow[]> {
  const { rows } = await pool.query<WatchedRow>(`SELECT ${COLUMNS} FROM alert WHERE revision > $1`, [String(since)]);
  return rows.map(parseRow);
}

/** One alert; null if it was deleted. */
export async function readAlert(pool: Pool, id: string): Promise<WatchedRow | null> {
  const { rows } = await pool.query<WatchedRow>(`SELECT ${COLUMNS} FROM alert WHERE id = $1`, [id]);
  return rows[0] === undefined ? null : parseRow(rows[0]);
}

/** The ids of all active alerts, to find those that were deleted. */
export async function readActiveIds(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>("SELECT id FROM alert WHERE active");
  return new Set(rows.map(({ id }) => id));
}

function parseRow(row: WatchedRow): WatchedRow {
  return { ...row, condition: conditionSchema.parse(row.condition) };
}

/**
 * Stores states that changed without a firing, except of alerts that were changed or fired meanwhile, and of all unless
 * `fence` is the number of the server that records.
 */
export async function saveStates(pool: Pool, fence: number, alerts: readonly WatchedAlert[]): Promise<void> {
  await pool.query(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $5 FOR KEY SHARE)
     UPDATE alert SET state = saved.state::jsonb
       FROM lease, unnest($1::uuid[], $2::text[], $3::bigint[], $4::int4[]) AS saved (id, state, revision, firings)
      WHERE alert.id = saved.id AND alert.revision = saved.revision AND alert.firings = saved.firings AND active`,
    [
      alerts.map(({ id }) => id),
      alerts.map(({ state }) => JSON.stringify(state)),
      alerts.map(({ revision }) => revision),
      alerts.map(({ firings }) => firings),
      fence,
    ],
  );
}

/** A firing to be written. */
export interface NewFiring {
  readonly id: string;
  /** Unique for the alert. */
  readonly key: string;
  readonly atMs: number;
  readonly state: AlertState;
  readonly message: string;
  readonly body: string;
}

/**
 * Writes a firing with its deliveries and the new state of the alert in one transaction. Resolves with false, and writes
 * nothing, if the alert was changed, has fired, or is no longer active, if a firing has the same key, or if another
 * server records than that with the number `fence`.
 */
export async function writeFiring(
  pool: Pool,
  fence: number,
  { id, revision, firings }: Pick<WatchedAlert, "id" | "revision" | "firings">,
  firing: NewFiring,
): Promise<boolean> {
  const { rows } = await pool.query<{ count: number }>(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $10 FOR KEY SHARE),
     fired AS (
       UPDATE alert SET firings = firings + 1, last_fired_at = to_timestamp($6::float8 / 1000), state = $7::jsonb,
              active = cooldown_s IS NOT NULL
         FROM lease
        WHERE id = $1 AND active AND revision = $2 AND firings = $3
          AND NOT EXISTS (SELECT FROM alert_firing WHERE alert_id = $1 AND key = $5)
       RETURNING account_id, webhook_id, by_mail
     ), firing AS (
       INSERT INTO alert_firing (id, account_id, alert_id, key, at, message, body)
       SELECT $4, account_id, $1, $5, to_timestamp($6::float8 / 1000), $8, $9 FROM fired
     ), deliveries AS (
       INSERT INTO alert_delivery (id, firing_id, account_id, channel, webhook_id, due_at)
       SELECT gen_random_uuid(), $4, account_id, 'webhook'::alert_channel, webhook_id, to_timestamp($6::float8 / 1000)
         FROM fired WHERE webhook_id IS NOT NULL
       UNION ALL
       SELECT gen_random_uuid(), $4, account_id, 'mail', NULL, to_timestamp($6::float8 / 1000) FROM fired WHERE by_mail
     )
     SELECT count(*)::int4 AS count FROM fired`,
    [
      id,
      revision,
      firings,
      firing.id,
      firing.key,
      firing.atMs,
      JSON.stringify(firing.state),
      firing.message,
      firing.body,
      fence,
    ],
  );
  return (rows[0]?.count ?? 0) > 0;
}
