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
