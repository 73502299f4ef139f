import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { getAlertLimits } from "@/lib/access/plans";
import { newConditionSchema } from "@/lib/alerts/conditions";
import { listFirings } from "@/lib/alerts/firing-log";
import { maySee, refuseAsApi, requireCondition, toCaller } from "@/lib/api/alerts/alert-access";
import { alertObject, alertWithLog, toAlertJson, toLogJson } from "@/lib/api/alerts/alert-json";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { succeeded } from "@/lib/api/engine/replies";
import type { Services } from "@/lib/api/engine/services";

const PATH = "/v1/alerts";
const ONE = "/v1/alerts/{alert}";

const settings = {
  name: z.string("must be a text").max(400, "must be at most 100 characters").meta({
    description: "At most 100 characters; without one, the condition in words",
  }),
  condition: newConditionSchema,
  cooldown_seconds: z.int("must be a whole number or null").nullable().meta({
    description: "From 60, or 900 with mail, or 0 for events, to 604800; null fires once",
  }),
  active: z.boolean("must be true or false"),
  webhook_id: z.string("must be the id of a webhook or null").max(64, "must be the id of a webhook").nullable(),
  mail: z.boolean("must be true or false"),
};

const newAlert = z.object({
  name: settings.name.default(""),
  condition: settings.condition,
  cooldown_seconds: settings.cooldown_seconds.default(null),
  active: settings.active.default(true),
  webhook_id: settings.webhook_id.default(null),
  mail: settings.mail.default(false),
});

export const listAlerts = defineEndpoint({
  method: "GET",
  path: PATH,
  summary: "The alerts of the account, newest first.",
  access: "key",
  weight: 1,
  query: z.object({}),
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({
      alerts: z.array(alertObject),
      count: z.int(),
      active_limit: z.int().meta({ description: "How many may be active" }),
    }),
  }),

  async handle({ key, services }) {
    const { account } = key as KeyEntry;
    const found = (await services.alerts.list(account.id)).filter((alert) => maySee(key as KeyEntry, alert));
    const alerts = found.map(toAlertJson);
    return { body: formatSuccess({ alerts, count: alerts.length, active_limit: getAlertLimits(account.plan).active }) };
  },
});

export const createAlert = defineEndpoint({
  method: "POST",
  path: PATH,
  summary: "Creates an alert.",
  description: "With neither `webhook_id` nor `mail` it only writes its log. The guide on alerts says when it fires.",
  access: "key",
  weight: 1,
  query: z.object({}),
  body: newAlert,
  errors: ["SYMBOL_NOT_FOUND", "PLAN_UPGRADE_REQUIRED", "WEBHOOK_NOT_FOUND", "TOO_MANY_ALERTS"],
  reply: z.strictObject({ success: succeeded, data: alertObject }),

  async handle({ body, key, call, services }) {
    requireCondition(key as KeyEntry, body.condition, call, services);
    const { name, condition, active } = body;
    const alert = await refuseAsApi(() =>
      services.alerts.create({ name, condition, active, ...toSettings(body) }, toCaller(key as KeyEntry, call)),
    );
    return { body: formatSuccess(toAlertJson(alert)) };
  },
});

export const readAlert = defineEndpoint({
  method: "GET",
  path: ONE,
  summary: "One alert, with its log: when it fired, and what became of its messages.",
  access: "key",
  weight: 1,
  query: z.object({}),
  errors: ["ALERT_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: alertWithLog }),

  async handle({ segment, key, services }) {
    const alert = await findVisible(services, key as KeyEntry, segment);
    const log = await listFirings(services.database.pool, { accountId: alert.accountId, alertId: alert.id });
    return { body: formatSuccess({ ...toAlertJson(alert), log: toLogJson(log) }) };
  },
});

export const changeAlert = defineEndpoint({
  method: "PATCH",
  path: ONE,
  summary: "Changes the given settings of an alert.",
  description: "With another condition, or once it is active again, the alert begins anew.",
  access: "key",
  weight: 1,
  query: z.object({}),
  body: z.object(settings).partial(),
  errors: ["SYMBOL_NOT_FOUND", "PLAN_UPGRADE_REQUIRED", "ALERT_NOT_FOUND", "WEBHOOK_NOT_FOUND", "TOO_MANY_ALERTS"],
  reply: z.strictObject({ success: succeeded, data: alertObject }),

  async handle({ segment, body, key, call, services }) {
    const { id, condition } = await findVisible(services, key as KeyEntry, segment);
    requireCondition(key as KeyEntry, body.condition ?? condition, call, services);
    const { name, active } = body;
    const changes = { name, condition: body.condition, active, ...toSettings(body) };
    const alert = await refuseAsApi(() => services.alerts.update(id, changes, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess(toAlertJson(alert)) };
  },
});

export const deleteAlert = defineEndpoint({
  method: "DELETE",
  path: ONE,
  summary: "Deletes an alert, with its log and its messages that are not sent yet.",
  access: "key",
  weight: 1,
  query: z.object({}),
  errors: ["ALERT_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: z.strictObject({ deleted: succeeded }) }),

  async handle({ segment, key, call, services }) {
    const { id } = await findVisible(services, key as KeyEntry, segment);
    await refuseAsApi(() => services.alerts.remove(id, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess({ deleted: true }) };
  },
});

interface Sent {
  cooldown_seconds: number | null;
  webhook_id: string | null;
  mail: boolean;
}

/** The settings that have other names in a body. Undefined stays undefined. */
function toSettings<Body extends { readonly [Name in keyof Sent]?: Sent[Name] | undefined }>(body: Body) {
  return {
    cooldownS: body.cooldown_seconds as Body["cooldown_seconds"],
    webhookId: body.webhook_id as Body["webhook_id"],
    byMail: body.mail as Body["mail"],
  };
}

async function findVisible({ alerts }: Services, key: KeyEntry, id: string) {
  const alert = await alerts.find(key.accountId, id);
  if (alert === null || !maySee(key, alert)) throw new ApiError("ALERT_NOT_FOUND", "There is no such alert.");
  return alert;
}
