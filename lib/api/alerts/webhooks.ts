import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { refuseAsApi, toCaller } from "@/lib/api/alerts/alert-access";
import { newWebhookObject, toWebhookJson, webhookObject } from "@/lib/api/alerts/alert-json";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { succeeded } from "@/lib/api/engine/replies";

const PATH = "/v1/webhooks";

export const listWebhooks = defineEndpoint({
  method: "GET",
  path: PATH,
  summary: "The webhooks of the account, without their secrets.",
  access: "key",
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
  path: PATH,
  summary: "Creates a webhook, and shows its secret once.",
  description: "The address begins with https:// and is on the public internet, unless the operator allows others.",
  access: "key",
  weight: 1,
  query: z.object({}),
  body: z.object({
    name: z.string("must be a text").max(400, "must be at most 80 characters"),
    url: z.string("must be a text").max(2_000, "must be at most 2000 characters").meta({ format: "uri" }),
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
  summary: "Sends a signed test message to a webhook, at most five a minute for an account.",
  access: "key",
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
  access: "key",
  weight: 1,
  query: z.object({}),
  errors: ["WEBHOOK_NOT_FOUND"],
  reply: z.strictObject({ success: succeeded, data: z.strictObject({ deleted: succeeded }) }),

  async handle({ segment, key, call, services }) {
    await refuseAsApi(() => services.webhooks.remove(segment, toCaller(key as KeyEntry, call)));
    return { body: formatSuccess({ deleted: true }) };
  },
});
