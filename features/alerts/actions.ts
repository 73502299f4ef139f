"use server";

import { readSymbolNow } from "@/features/alerts/data";
import { readAlertForm, toAlertSettings } from "@/features/alerts/form-values";
import {
  type AlertFormValues,
  type CreatedWebhook,
  describeOutcome,
  type SavedAlert,
  type TestOutcome,
} from "@/features/alerts/types";
import type { ActionCall } from "@/features/forms/caller";
import { defineAction } from "@/features/forms/define-action";
import { AccessError } from "@/lib/access/access-error";
import type { AlertSettings } from "@/lib/alerts/alerts";
import type { Condition } from "@/lib/alerts/conditions";
import { WEBHOOK_KINDS } from "@/lib/alerts/webhook-names";

// The first alert begins the watch of every page.
const OWNER = { by: "owner", page: "/alerts", revalidate: "/" } as const;

const ALERT_FORM = {
  ...OWNER,
  values: readAlertForm,
  fields: {
    ...{ invalid_indicator: "indicator", invalid_timeframe: "timeframe" },
    invalid_symbol: "symbol",
    invalid_source: "source",
    webhook_not_found: "webhookId",
    invalid_name: "name",
  },
} as const;

function readSettings({ form, runtime }: ActionCall<"owner">, edited: Condition | null = null): AlertSettings {
  const values = readAlertForm(form);
  return toAlertSettings(values, readSymbolNow(runtime, values.symbol), edited);
}

const toCaller = ({ actor, account }: ActionCall<"owner">) => ({ by: actor, reader: account });

export const createAlert = defineAction<"owner", SavedAlert, AlertFormValues>(
  { ...ALERT_FORM, act: "create alert" },
  async (call) => {
    const { id } = await call.runtime.alerts.create(readSettings(call), toCaller(call));
    return { id };
  },
);

export const editAlert = defineAction<"owner", SavedAlert, AlertFormValues>(
  { ...ALERT_FORM, act: "edit alert" },
  async (call) => {
    const editedId = call.form.text("id");
    const edited = await call.runtime.alerts.find(call.account.id, editedId);
    // A paused alert stays paused.
    const changes = { ...readSettings(call, edited?.condition), active: undefined };
    const { id } = await call.runtime.alerts.update(editedId, changes, toCaller(call));
    return { id };
  },
);

export const pauseAlert = defineAction({ ...OWNER, act: "pause alert" }, async (call) => {
  await call.runtime.alerts.update(call.form.text("id"), { active: false }, toCaller(call));
});

export const resumeAlert = defineAction({ ...OWNER, act: "resume alert" }, async (call) => {
  await call.runtime.alerts.update(call.form.text("id"), { active: true }, toCaller(call));
});

export const deleteAlert = defineAction({ ...OWNER, act: "delete alert" }, async (call) => {
  await call.runtime.alerts.remove(call.form.text("id"), toCaller(call));
});

/** Longer input is cut before it is checked. */
const MAX_LENGTH = 2_001;

export const createWebhook = defineAction(
  {
    ...OWNER,
    act: "create webhook",
    fields: {
      ...{ invalid_name: "name", invalid_url: "url", invalid_token: "token", invalid_chat: "chat" },
      confirmation_required: "password",
      ...{ wrong_password: "password", too_many_attempts: "password" },
    },
  },
  async ({ form, runtime, actor }): Promise<CreatedWebhook> => {
    // Its secret is shown, as that of a key.
    if (actor.confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
    const [name, chosen] = [form.text("name", MAX_LENGTH), form.text("kind")];
    const kind = WEBHOOK_KINDS.find((each) => each === chosen) ?? "signed";
    const isTelegram = kind === "telegram";
    // Fields of other kinds keep what was typed.
    const target = isTelegram
      ? { token: form.text("token", MAX_LENGTH), chat: form.text("chat", MAX_LENGTH) }
      : { url: form.text("url", MAX_LENGTH) };
    const { secret } = await runtime.webhooks.create({ name, kind, ...target }, { by: actor });
    return { name: name.trim(), secret };
  },
);

/** Waits for the outcome of a test, and puts it in words. */
async function readOutcome({ runtime, actor }: ActionCall<"owner">, testId: string): Promise<TestOutcome> {
  const delivery = await runtime.webhooks.awaitTest(testId, actor);
  if (delivery === null) return { look: "waiting", text: "not answered yet: the log shows the outcome" };
  return describeOutcome(delivery, runtime.now());
}

export const testWebhook = defineAction({ ...OWNER, act: "test webhook" }, async (call) =>
  readOutcome(call, await call.runtime.webhooks.test(call.form.text("id"), call.actor)),
);

export const deleteWebhook = defineAction({ ...OWNER, act: "delete webhook" }, async ({ form, runtime, actor }) => {
  await runtime.webhooks.remove(form.text("id"), { by: actor });
});

export const addDevice = defineAction({ ...OWNER, act: "add device" }, async ({ form, runtime, actor }) => {
  const read = (name: string) => form.text(name, MAX_LENGTH);
  const subscription = { endpoint: read("endpoint"), p256dh: read("p256dh"), auth: read("auth") };
  await runtime.pushDevices.add({ ...subscription, name: read("name") }, actor);
});

export const testDevice = defineAction({ ...OWNER, act: "test device" }, async (call) =>
  readOutcome(call, await call.runtime.pushDevices.test(call.form.text("id"), call.actor)),
);

export const removeDevice = defineAction({ ...OWNER, act: "remove device" }, async ({ form, runtime, actor }) => {
  await runtime.pushDevices.remove(form.text("id"), actor);
});
