import type { Pool } from "pg";
import type { AlertState } from "@/lib/alerts/conditions/evaluate";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";

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
