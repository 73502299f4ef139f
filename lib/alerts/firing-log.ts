import type { Pool } from "pg";
import { isId } from "@/lib/access/id";

/** One firing of an alert, or a test of a webhook, with its deliveries. */
export interface Firing {
  readonly id: string;
  /** Null for a test of a webhook. */
  readonly alertId: string | null;
  /** UTC milliseconds, like all times here. */
  readonly atMs: number;
  readonly message: string;
  readonly deliveries: readonly Delivery[];
}

interface Delivery {
  readonly channel: "webhook" | "mail";
  readonly state: "pending" | "delivered" | "failed";
  readonly tries: number;
  readonly lastAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly responseText: string | null;
  readonly error: string | null;
}

const MAX_LISTED = 50;
const toMs = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** The newest firings of an account, or of one of its alerts, at most 50. */
export async function listFirings(
  pool: Pool,
  { accountId, alertId }: { readonly accountId: string; readonly alertId?: string },
): Promise<Firing[]> {
  if (!isId(accountId) || (alertId !== undefined && !isId(alertId))) return [];
  const { rows } = await pool.query<Firing>(
    `SELECT firing.id, alert_id AS "alertId", ${toMs("at")} AS "atMs", message,
            (SELECT coalesce(jsonb_agg(jsonb_build_object(
                 'channel', channel, 'state', state, 'tries', tries, 'lastAtMs', ${toMs("last_at")},
                 'dueAtMs', ${toMs("due_at")}, 'durationMs', duration_ms, 'responseStatus', response_status,
                 'responseText', response_text, 'error', error) ORDER BY channel), '[]')
               FROM alert_delivery WHERE firing_id = firing.id) AS deliveries
       FROM alert_firing AS firing
      WHERE account_id = $1 AND ($2::uuid IS NULL OR alert_id = $2)
      ORDER BY at DESC, firing.id LIMIT ${MAX_LISTED}`,
    [accountId, alertId ?? null],
  );
  return rows;
}
