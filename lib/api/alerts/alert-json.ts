import * as z from "zod";
import type { Alert } from "@/lib/alerts/alerts";
import { conditionSchema } from "@/lib/alerts/conditions";
import type { Firing } from "@/lib/alerts/firing-log";
import type { Webhook } from "@/lib/alerts/webhooks";
import { isoTime } from "@/lib/api/engine/replies";

/** Alerts, their log and webhooks as `/v1` writes them. */

const alertFields = {
  id: z.uuid(),
  name: z.string(),
  condition: conditionSchema,
  active: z.boolean().meta({ description: "Whether it can fire" }),
  cooldown_seconds: z.int().nullable().meta({
    description: "The seconds after a firing in which it does not fire again; null fires once",
  }),
  webhook_id: z.uuid().nullable().meta({ description: "The webhook that it is sent to; null for none" }),
  mail: z.boolean().meta({ description: "Whether it is mailed to the account" }),
  firings: z.int().meta({ description: "How often it has fired" }),
  last_fired_at: isoTime.nullable(),
  created_at: isoTime,
};

export const alertObject = z.strictObject(alertFields).meta({ id: "Alert" });

const deliveryObject = z
  .strictObject({
    channel: z.enum(["webhook", "mail"]),
    state: z.enum(["pending", "delivered", "failed"]),
    tries: z.int(),
    last_at: isoTime.nullable().meta({ description: "The end of the last try" }),
    next_at: isoTime.nullable().meta({ description: "When it is tried next; null once it has ended" }),
    duration_ms: z.int().nullable(),
    response_status: z.int().nullable().meta({ description: "The HTTP status of the receiver" }),
    response_text: z.string().nullable().meta({ description: "The beginning of the receiver's answer" }),
    error: z.string().nullable().meta({ description: "Why there was no answer" }),
  })
  .meta({ id: "AlertDelivery" });

export const alertWithLog = z
  .strictObject({
    ...alertFields,
    log: z
      .array(
        z
          .strictObject({
            id: z.uuid().meta({ description: "The webhook-id of its message" }),
            at: isoTime,
            message: z.string(),
            deliveries: z.array(deliveryObject),
          })
          .meta({ id: "AlertFiring" }),
      )
      .meta({ description: "The latest 50 firings of the last 30 days, newest first" }),
  })
  .meta({ id: "AlertWithLog" });

const webhookFields = { id: z.uuid(), name: z.string(), url: z.string(), created_at: isoTime };
export const webhookObject = z.strictObject(webhookFields).meta({ id: "Webhook" });
export const newWebhookObject = z
  .strictObject({
    ...webhookFields,
    secret: z.string().meta({ description: "Verifies the signatures of its messages. It is not shown again." }),
  })
  .meta({ id: "NewWebhook" });

const toTime = (ms: number) => new Date(ms).toISOString();
const toTimeOrNull = (ms: number | null) => (ms === null ? null : toTime(ms));

export function toAlertJson(alert: Alert): z.input<typeof alertObject> {
  const { id, name, condition, active, cooldownS, webhookId, byMail, firings } = alert;
  return {
    ...{ id, name, condition, active, firings },
    cooldown_seconds: cooldownS,
    webhook_id: webhookId,
    mail: byMail,
    last_fired_at: toTimeOrNull(alert.lastFiredAtMs),
    created_at: toTime(alert.createdAtMs),
  };
}

export function toLogJson(log: readonly Firing[]): z.input<typeof alertWithLog>["log"] {
  return log.map(({ id, atMs, message, deliveries }) => ({
    ...{ id, message },
    at: toTime(atMs),
    deliveries: deliveries.map((each) => ({
      channel: each.channel,
      state: each.state,
      tries: each.tries,
      last_at: toTimeOrNull(each.lastAtMs),
      next_at: toTimeOrNull(each.dueAtMs),
      duration_ms: each.durationMs,
      response_status: each.responseStatus,
      response_text: each.responseText,
      error: each.error,
    })),
  }));
}

export function toWebhookJson({ id, name, url, createdAtMs }: Webhook): z.input<typeof webhookObject> {
  return { id, name, url, created_at: toTime(createdAtMs) };
}
