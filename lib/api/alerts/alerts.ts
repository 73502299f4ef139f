import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { findCheapestPlanWith, getAlertLimits } from "@/lib/access/plans";
import { type Alert, checkCondition, findEntitlement, findSymbol } from "@/lib/alerts/alerts";
import { type Condition, conditionSchema, newConditionSchema } from "@/lib/alerts/conditions";
import { type Firing, listFirings } from "@/lib/alerts/firing-log";
import { WEBHOOK_KINDS } from "@/lib/alerts/webhook-names";
import type { Webhook } from "@/lib/alerts/webhooks";
import { calendar } from "@/lib/api/calendar/calendar";
import { refuseAsApi, toCaller } from "@/lib/api/engine/account-work";
import { requireAccess } from "@/lib/api/engine/authorise";
import { defineEndpoint, type Endpoint, formatSuccess, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { isoTime, succeeded, toIsoTime, toIsoTimeOrNull } from "@/lib/api/engine/replies";
import { findPublicUrl } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { quality } from "@/lib/api/history/quality";
import { spread } from "@/lib/api/history/spread";
import { indicator } from "@/lib/api/indicators/indicator";
import { quote } from "@/lib/api/quotes/quote";

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
  push: z.boolean().meta({ description: "Whether it is pushed to the devices of the account" }),
  firings: z.int().meta({ description: "How often it has fired" }),
  last_fired_at: isoTime.nullable(),
  created_at: isoTime,
};

const alertObject = z.strictObject(alertFields).meta({ id: "Alert" });

const deliveryObject = z
  .strictObject({
    channel: z.enum(["webhook", "mail", "push"]),
    state: z.enum(["pending", "delivered", "failed"]),
    tries: z.int(),
    last_at: isoTime.nullable().meta({ description: "The end of the last try" }),
    next_at: isoTime.nullable().meta({ description: "When it is tried next; null once it has ended" }),
    duration_ms: z.int().nullable(),
    response_status: z.int().nullable().meta({ description: "The HTTP status of the receiver" }),
    response_text: z.string().nullable().meta({ description: "The beginning of the receiver's answer" }),
    error: z.string().nullable().meta({ description: "Why there was no answer, or what a chat's refusal means" }),
  })
  .meta({ id: "AlertDelivery" });

const alertWithLog = z
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

const webhookFields = {
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(WEBHOOK_KINDS).meta({ description: "What it speaks: signed JSON, or the format of a chat" }),
  url: z.string().meta({ description: "Without its last part if the address itself is a secret: discord and slack" }),
  chat: z.string().nullable().meta({ description: "Of telegram: the chat" }),
  created_at: isoTime,
};
const webhookObject = z.strictObject(webhookFields).meta({ id: "Webhook" });
const newWebhookObject = z
  .strictObject({
    ...webhookFields,
    secret: z.string().nullable().meta({
      description:
        "Verifies the signatures of its messages. It is not shown again. Null for chats, which have their own",
    }),
  })
  .meta({ id: "NewWebhook" });

function toAlertJson(alert: Alert): z.input<typeof alertObject> {
  const { id, name, condition, active, cooldownS, webhookId, byMail, byPush, firings } = alert;
  return {
    ...{ id, name, condition, active, firings },
    cooldown_seconds: cooldownS,
    webhook_id: webhookId,
    mail: byMail,
    push: byPush,
    last_fired_at: toIsoTimeOrNull(alert.lastFiredAtMs),
    created_at: toIsoTime(alert.createdAtMs),
  };
}

function toLogJson(log: readonly Firing[]): z.input<typeof alertWithLog>["log"] {
  return log.map(({ id, atMs, message, deliveries }) => ({
    ...{ id, message },
    at: toIsoTime(atMs),
    deliveries: deliveries.map((each) => ({
      channel: each.channel,
      state: each.state,
      tries: each.tries,
      last_at: toIsoTimeOrNull(each.lastAtMs),
      next_at: toIsoTimeOrNull(each.dueAtMs),
      duration_ms: each.durationMs,
      response_status: each.responseStatus,
      response_text: each.responseText,
      error: each.error,
    })),
  }));
}

function toWebhookJson({ id, name, kind, url, chat, createdAtMs }: Webhook): z.input<typeof webhookObject> {
  return { id, name, kind, url, chat, created_at: toIsoTime(createdAtMs) };
}

const PATH = "/v1/alerts";
const ONE = "/v1/alerts/{alert}";

const settings = {
  name: z.string("must be a text").max(400, "must be at most 100 characters").meta({
    description: "At most 100 characters; without one, the condition in words",
  }),
  condition: newConditionSchema,
  cooldown_seconds: z.int("must be a whole number or null").nullable().meta({
    description: "From 60, or 900 with mail, or 0 for events and completeness, to 604800; null fires once",
  }),
  active: z.boolean("must be true or false"),
  webhook_id: z.string("must be the id of a webhook or null").max(64, "must be the id of a webhook").nullable(),
  mail: z.boolean("must be true or false"),
  push: z.boolean("must be true or false"),
};

const newAlert = z.object({
  name: settings.name.default(""),
  condition: settings.condition,
  cooldown_seconds: settings.cooldown_seconds.default(null),
  active: settings.active.default(true),
  webhook_id: settings.webhook_id.default(null),
  mail: settings.mail.default(false),
  push: settings.push.default(false),
});

export const listAlerts = defineEndpoint({
  method: "GET",
  path: PATH,
  summary: "The alerts of the account, newest first.",
  group: "Alerts",
  access: "alerts",
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

  async handle({ key, call, services }) {
    const { account } = key as KeyEntry;
    const listed = await services.alerts.list(account.id);
    const found = listed.filter((alert) => maySee(key as KeyEntry, alert, { call, services }));
    const alerts = found.map(toAlertJson);
    return { body: formatSuccess({ alerts, count: alerts.length, active_limit: getAlertLimits(account.plan).active }) };
  },
});

export const createAlert = defineEndpoint({
  method: "POST",
  path: PATH,
  summary: "Creates an alert.",
  description:
    "With none of `webhook_id`, `mail` and `push` it only writes its log. The guide on alerts says when it fires.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  body: newAlert,
  errors: ["SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "PLAN_UPGRADE_REQUIRED", "WEBHOOK_NOT_FOUND", "TOO_MANY_ALERTS"],
  reply: z.strictObject({ success: succeeded, data: alertObject }),

  async handle({ body, key, call, services }) {
    requireCondition(key as KeyEntry, body.condition, { call, services });
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
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  errors: ["ALERT_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: alertWithLog }),

  async handle({ segment, key, call, services }) {
    const alert = await findVisible(key as KeyEntry, segment, { call, services });
    const log = await listFirings(services.database.pool, { accountId: alert.accountId, alertId: alert.id });
    return { body: formatSuccess({ ...toAlertJson(alert), log: toLogJson(log) }) };
  },
});

export const changeAlert = defineEndpoint({
  method: "PATCH",
  path: ONE,
  summary: "Changes the given settings of an alert.",
  description: "With another condition, or once it is active again, the alert begins anew.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  body: z.object(settings).partial(),
  errors: [
    "SYMBOL_NOT_FOUND",
    "SOURCE_NOT_FOUND",
    "PLAN_UPGRADE_REQUIRED",
    "ALERT_NOT_FOUND",
    "WEBHOOK_NOT_FOUND",
    "TOO_MANY_ALERTS",
  ],
  reply: z.strictObject({ success: succeeded, data: alertObject }),

  async handle({ segment, body, key, call, services }) {
    const { id, condition } = await findVisible(key as KeyEntry, segment, { call, services });
    requireCondition(key as KeyEntry, body.condition ?? condition, { call, services });
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
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  errors: ["ALERT_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: z.strictObject({ deleted: succeeded }) }),

  async handle({ segment, key, call, services }) {
    const { id } = await findVisible(key as KeyEntry, segment, { call, services });
    await refuseAsApi(() => services.alerts.remove(id, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess({ deleted: true }) };
  },
});

interface Sent {
  cooldown_seconds: number | null;
  webhook_id: string | null;
  mail: boolean;
  push: boolean;
}

/** The settings that have other names in a body. Undefined stays undefined. */
function toSettings<Body extends { readonly [Name in keyof Sent]?: Sent[Name] | undefined }>(body: Body) {
  return {
    cooldownS: body.cooldown_seconds as Body["cooldown_seconds"],
    webhookId: body.webhook_id as Body["webhook_id"],
    byMail: body.mail as Body["mail"],
    byPush: body.push as Body["push"],
  };
}

async function findVisible(key: KeyEntry, id: string, asking: Asking) {
  const alert = await asking.services.alerts.find(key.accountId, id);
  if (alert === null || !maySee(key, alert, asking)) throw new ApiError("ALERT_NOT_FOUND", "There is no such alert.");
  return alert;
}

type Asking = Pick<HandlerRequest<unknown, unknown>, "call" | "services">;

/** The endpoints that answer what the message of a firing has. An alert is a way to it, so a key needs what each of them needs. */
const READ_BY: Readonly<Record<Condition["type"], readonly Endpoint[]>> = {
  price: [quote],
  line: [quote],
  move: [quote],
  state: [quote],
  spread: [quote, spread],
  indicator: [indicator],
  completeness: [quality],
  release: [calendar],
  upcoming: [calendar],
};

/** Throws 403 unless the key may read the symbol of a condition, and call what answers the same data. */
function requireReadable(key: KeyEntry, condition: Condition, asking: Asking): void {
  const symbol = findSymbol(condition);
  if (symbol !== null) requireSymbol(key, symbol);
  for (const endpoint of READ_BY[condition.type]) requireAccess(asking, key, endpoint);
}

/** Whether a key may see an alert, with its log. What its plan lacks by now does not hide it, so that it can be deleted. */
function maySee(key: KeyEntry, { condition }: Pick<Alert, "condition">, asking: Asking): boolean {
  try {
    requireReadable(key, condition, asking);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code !== "PERMISSION_DENIED";
  }
}

/** Throws 403 unless the key may read what a condition reads, and its plan has the data. */
function requireCondition(key: KeyEntry, condition: Condition, { call, services }: Asking): void {
  requireReadable(
    key,
    refuseAsApi(() => checkCondition(condition)),
    { call, services },
  );
  const entitlement = findEntitlement(condition.type);
  if (entitlement === null || key.entitlements[entitlement]) return;
  const { name } = key.entitlements;
  const needed = `a standard key of the plan "${findCheapestPlanWith(entitlement)}" or a higher one`;
  throw new ApiError("PLAN_UPGRADE_REQUIRED", `The condition "${condition.type}" needs ${needed}.`, {
    current_plan: name,
    upgrade_url: `${findPublicUrl(call, services)}/plan`,
  });
}

const WEBHOOKS_PATH = "/v1/webhooks";

export const listWebhooks = defineEndpoint({
  method: "GET",
  path: WEBHOOKS_PATH,
  summary: "The webhooks of the account, without their secrets.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({ webhooks: z.array(webhookObject), count: z.int() }),
  }),

  async handle({ key, services }) {
    const webhooks = (await services.webhooks.list((key as KeyEntry).accountId)).map(toWebhookJson);
    return { body: formatSuccess({ webhooks, count: webhooks.length }) };
  },
});

export const createWebhook = defineEndpoint({
  method: "POST",
  path: WEBHOOKS_PATH,
  summary: "Creates a webhook, and shows its secret once.",
  description:
    "The address begins with https:// and is on the public internet, unless the operator allows others. The kinds discord and slack " +
    "have the address that the chat shows, and telegram has token and chat in its place; what a chat's answer means is in the " +
    "log of alerts.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  body: z.object({
    name: z.string("must be a text").max(400, "must be at most 80 characters"),
    kind: z.enum(WEBHOOK_KINDS, `must be one of ${WEBHOOK_KINDS.join(", ")}`).default("signed"),
    url: z
      .string("must be a text")
      .max(2_000, "must be at most 2000 characters")
      .optional()
      .meta({ description: "Needed but for telegram, where it is another server of the Bot API" }),
    token: z.string("must be a text").max(200, "must be at most 200 characters").optional().meta({
      description: "Of telegram: the token of the bot",
    }),
    chat: z.string("must be a text").max(100, "must be at most 100 characters").optional().meta({
      description:
        "Of telegram: the number of the chat, such as -1001234567890, or @channel; with a topic, -1001234567890/17",
    }),
  }),
  errors: ["TOO_MANY_WEBHOOKS"],
  reply: z.strictObject({ success: succeeded, data: newWebhookObject }),

  async handle({ body, key, call, services }) {
    const created = await refuseAsApi(() => services.webhooks.create(body, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess({ ...toWebhookJson(created), secret: created.secret }) };
  },
});

export const testWebhook = defineEndpoint({
  method: "POST",
  path: "/v1/webhooks/{webhook}",
  summary: "Sends a test message to a webhook, at most five a minute for an account.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  errors: ["WEBHOOK_NOT_FOUND"],
  reply: z.strictObject({
    success: succeeded,
    data: z.strictObject({
      sent: succeeded,
      message_id: z.uuid().meta({ description: "The webhook-id of the message" }),
    }),
  }),

  async handle({ segment, key, services }) {
    const owner = { kind: "owner", accountId: (key as KeyEntry).accountId } as const;
    const id = await refuseAsApi(() => services.webhooks.test(segment, owner));
    return { body: formatSuccess({ sent: true, message_id: id }) };
  },
});

export const deleteWebhook = defineEndpoint({
  method: "DELETE",
  path: "/v1/webhooks/{webhook}",
  summary: "Deletes a webhook. Its alerts stay, and its messages that are not sent yet are not sent.",
  group: "Alerts",
  access: "alerts",
  weight: 1,
  query: z.object({}),
  errors: ["WEBHOOK_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: z.strictObject({ deleted: succeeded }) }),

  async handle({ segment, key, call, services }) {
    await refuseAsApi(() => services.webhooks.remove(segment, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess({ deleted: true }) };
  },
});
