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

/** A message of a firing over one channel. */
export interface Delivery {
  readonly channel: "webhook" | "mail" | "push";
  readonly webhookId: string | null;
  readonly deviceId: string | null;
  readonly state: "pending" | "delivered" | "failed";
  readonly tries: number;
  readonly lastAtMs: number | null;
  readonly dueAtMs: number | null;
  readonly durationMs: number | null;
  readonly responseStatus: number | null;
  readonly responseText: string | null;
  readonly error: string | null;
}

/** A firing as it is shown on every page. */
export interface FiringNews {
  readonly id: string;
  readonly accountId: string;
  readonly alertId: string;
  readonly alertName: string;
  /** Null for an alert on events. */
  readonly symbol: string | null;
  readonly atMs: number;
  readonly message: string;
}

/** A delivery to a webhook, with what it is about. */
export interface WebhookDelivery extends Delivery {
  readonly id: string;
  readonly webhookId: string;
  /** When the alert fired, or the test was requested. */
  readonly atMs: number;
  readonly message: string;
  readonly isTest: boolean;
}

const MAX_LISTED = 50;
const MAX_LISTED_PER_WEBHOOK = 20;
const MAX_NEWS = 100;
const toMs = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;
const OUTCOME = `state, tries, ${toMs("last_at")} AS "lastAtMs", ${toMs("due_at")} AS "dueAtMs",
  duration_ms AS "durationMs", response_status AS "responseStatus", response_text AS "responseText", error`;

/** The newest firings of an account, or of one of its alerts, at most 50. */
export async function listFirings(
  pool: Pool,
  { accountId, alertId }: { readonly accountId: string; readonly alertId?: string },
): Promise<Firing[]> {
  if (!isId(accountId) || (alertId !== undefined && !isId(alertId))) return [];
  const { rows } = await pool.query<Firing>(
    `SELECT firing.id, alert_id AS "alertId", ${toMs("at")} AS "atMs", message,
            (SELECT coalesce(jsonb_agg(jsonb_build_object(
                 'channel', channel, 'webhookId', webhook_id, 'deviceId', device_id, 'state', state, 'tries', tries, 'lastAtMs', ${toMs("last_at")},
                 'dueAtMs', ${toMs("due_at")}, 'durationMs', duration_ms, 'responseStatus', response_status,
                 'responseText', response_text, 'error', error) ORDER BY channel, device_id), '[]')
               FROM alert_delivery WHERE firing_id = firing.id) AS deliveries
       FROM alert_firing AS firing
      WHERE account_id = $1 AND ($2::uuid IS NULL OR alert_id = $2)
      ORDER BY at DESC, firing.id LIMIT ${MAX_LISTED}`,
    [accountId, alertId ?? null],
  );
  return rows;
}

/** The newest deliveries to each webhook of an account, newest first, at most 20 for each. */
export async function listWebhookDeliveries(pool: Pool, accountId: string): Promise<WebhookDelivery[]> {
  const { rows } = await pool.query<WebhookDelivery>(
    `SELECT delivery.* FROM webhook CROSS JOIN LATERAL (
       SELECT alert_delivery.id, 'webhook' AS channel, webhook_id AS "webhookId", NULL AS "deviceId", ${toMs("at")} AS "atMs", message,
              alert_id IS NULL AS "isTest", ${OUTCOME}
         FROM alert_delivery JOIN alert_firing ON alert_firing.id = firing_id
        WHERE webhook_id = webhook.id ORDER BY at DESC, alert_delivery.id LIMIT ${MAX_LISTED_PER_WEBHOOK}
     ) AS delivery WHERE account_id = $1 ORDER BY "atMs" DESC`,
    [accountId],
  );
  return rows;
}

/** What fired on these accounts since a time, newest first. Tests of webhooks are left out. */
export async function listNews(
  pool: Pool,
  { accountIds, sinceMs }: { readonly accountIds: readonly string[]; readonly sinceMs: number },
): Promise<FiringNews[]> {
  const { rows } = await pool.query<FiringNews>(
    `SELECT firing.id, account AS "accountId", alert.id AS "alertId", alert.name AS "alertName",
            condition->>'symbol' AS symbol, ${toMs("at")} AS "atMs", message
       FROM unnest($1::uuid[]) AS account CROSS JOIN LATERAL (
         SELECT id, alert_id, at, message FROM alert_firing
          WHERE account_id = account AND alert_id IS NOT NULL AND at > to_timestamp($2::float8 / 1000)
          ORDER BY at DESC, id LIMIT ${MAX_NEWS}
       ) AS firing JOIN alert ON alert.id = alert_id
      ORDER BY at DESC, firing.id`,
    [accountIds, sinceMs],
  );
  return rows;
}
