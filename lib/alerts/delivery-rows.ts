import type { Pool } from "pg";
import type { WebhookKind } from "@/lib/alerts/webhook-names";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A delivery that this process is to try now, with all that it needs. */
export interface DueDelivery {
  readonly id: string;
  readonly firingId: string;
  readonly accountId: string;
  readonly channel: "webhook" | "mail" | "push";
  /** The number of this try, from 1. */
  readonly tries: number;
  /** The alert that fired, and its name; null for a test of a webhook. */
  readonly alertId: string | null;
  readonly alertName: string | null;
  readonly message: string;
  readonly body: string;
  readonly email: string;
  readonly webhookId: string | null;
  readonly kind: WebhookKind | null;
  readonly url: string | null;
  readonly chat: string | null;
  readonly sealedSecret: string | null;
  readonly deviceId: string | null;
  /** The subscription of the device. */
  readonly sealedDevice: string | null;
}

/** The outcome of a try. */
export interface Outcome {
  readonly ok: boolean;
  /** Whether the receiver refuses the message for good. */
  readonly isFinal: boolean;
  readonly status: number | null;
  readonly text: string | null;
  readonly error: string | null;
  /** The least pause until the next try that the receiver asks for. */
  readonly retryAfterMs: number | null;
  /** Null where the message could not be delivered. */
  readonly durationMs: number | null;
}

/** The pauses after each failed try; after the last try the delivery has failed. */
export const RETRY_PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
] as const;
/** A receiver may ask for a longer pause, up to this. */
const MAX_WAIT_MS = HOUR_MS;
/** A try whose process ended is repeated after this time: longer than a try may take. */
const LEASE_MS = 20 * SECOND_MS;
/** So many deliveries of one account at a time, so that its slow receivers do not delay others. */
const MAX_PER_ACCOUNT = 4;
const RETENTION_MS = 30 * DAY_MS;

/**
 * Claims deliveries that are due, at most `limit`. Accounts in `busy`, which has one entry for each running delivery, get
 * fewer. Those of suspended accounts wait.
 */
export async function claimDeliveries(
  pool: Pool,
  { nowMs, limit, busy }: { readonly nowMs: number; readonly limit: number; readonly busy: readonly string[] },
): Promise<DueDelivery[]> {
  const { rows } = await pool.query<DueDelivery>(
    `WITH ranked AS (
       SELECT id, due_at, account_id, row_number() OVER (PARTITION BY account_id ORDER BY due_at, id) AS place
         FROM alert_delivery WHERE due_at <= to_timestamp($1::float8 / 1000)
     ), chosen AS (
       SELECT delivery.id FROM alert_delivery AS delivery JOIN ranked ON ranked.id = delivery.id
         JOIN account ON account.id = delivery.account_id AND account.suspended_at IS NULL
        WHERE place <= ${MAX_PER_ACCOUNT} - (SELECT count(*) FROM unnest($3::uuid[]) AS running (account_id)
                                              WHERE running.account_id = ranked.account_id)
          AND delivery.due_at <= to_timestamp($1::float8 / 1000)
        ORDER BY ranked.due_at LIMIT $2 FOR UPDATE OF delivery SKIP LOCKED
     ), claimed AS (
       UPDATE alert_delivery SET tries = tries + 1, due_at = to_timestamp(($1::float8 + ${LEASE_MS}) / 1000)
        WHERE id IN (SELECT id FROM chosen) RETURNING *
     )
     SELECT claimed.id, firing_id AS "firingId", claimed.account_id AS "accountId", channel, tries, message, body, email,
            alert.id AS "alertId", alert.name AS "alertName", claimed.webhook_id AS "webhookId", kind, url, chat,
            sealed_secret AS "sealedSecret", claimed.device_id AS "deviceId", sealed AS "sealedDevice"
       FROM claimed JOIN alert_firing ON alert_firing.id = firing_id JOIN account ON account.id = claimed.account_id
       LEFT JOIN webhook ON webhook.id = claimed.webhook_id LEFT JOIN alert ON alert.id = alert_id
       LEFT JOIN push_device ON push_device.id = claimed.device_id`,
    [nowMs, limit, busy],
  );
  return rows;
}

/**
 * Notes the outcome of a try, and when to try again. Resolves with whether there will be another. Changes nothing if the
 * try took so long that another server has claimed the delivery.
 */
export async function finishTry(
  pool: Pool,
  { id, tries }: Pick<DueDelivery, "id" | "tries">,
  outcome: Outcome,
  nowMs: number,
): Promise<boolean> {
  const { ok, isFinal, status, text, error, retryAfterMs, durationMs } = outcome;
  const usualMs = ok || isFinal ? undefined : RETRY_PAUSES_MS[tries - 1];
  const pauseMs = usualMs === undefined ? undefined : Math.max(usualMs, Math.min(retryAfterMs ?? 0, MAX_WAIT_MS));
  const state = ok ? "delivered" : pauseMs === undefined ? "failed" : "pending";
  const { rowCount } = await pool.query(
    `UPDATE alert_delivery
        SET state = $2::alert_delivery_state, last_at = to_timestamp($3::float8 / 1000),
            due_at = to_timestamp($4::float8 / 1000), duration_ms = $5, response_status = $6, response_text = $7, error = $8
      WHERE id = $1 AND tries = $9`,
    [id, state, nowMs, pauseMs === undefined ? null : nowMs + pauseMs, durationMs, status, text, error, tries],
  );
  return pauseMs !== undefined || rowCount === 0;
}

/** Deletes the log of a month ago. */
export async function deleteOldFirings(pool: Pool, nowMs: number): Promise<void> {
  await pool.query("DELETE FROM alert_firing WHERE at < to_timestamp($1::float8 / 1000)", [nowMs - RETENTION_MS]);
}

/** Deletes a device whose browser receives no more messages, with what was not sent to it. */
export async function deleteDevice(pool: Pool, id: string): Promise<void> {
  await pool.query("DELETE FROM push_device WHERE id = $1", [id]);
}
