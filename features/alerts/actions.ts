"use server";

import { readSymbolNow } from "@/features/alerts/data";
import { readAlertForm, toAlertSettings } from "@/features/alerts/form-values";
import type { AlertFormValues, CreatedWebhook, SavedAlert } from "@/features/alerts/types";
import type { ActionCall } from "@/features/forms/caller";
import { defineAction } from "@/features/forms/define-action";
import { AccessError } from "@/lib/access/access-error";
import type { AlertSettings } from "@/lib/alerts/alerts";

// The first alert begins the watch of every page.
const OWNER = { by: "owner", page: "/alerts", revalidate: "/" } as const;

const ALERT_FORM = {
  ...OWNER,
  values: readAlertForm,
  fields: { invalid_symbol: "symbol", invalid_source: "source", webhook_not_found: "webhookId", invalid_name: "name" },
} as const;

function readSettings({ form, runtime }: ActionCall<"owner">): AlertSettings {
  const values = readAlertForm(form);
  return toAlertSettings(values, readSymbolNow(runtime, values.symbol));
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
    // A paused alert stays paused.
    const changes = { ...readSettings(call), active: undefined };
    const { id } = await call.runtime.alerts.update(call.form.text("id"), changes, toCaller(call));
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
      ...{ invalid_name: "name", invalid_url: "url", confirmation_required: "password" },
      ...{ wrong_password: "password", too_many_attempts: "password" },
    },
  },
  async ({ form, runtime, actor }): Promise<CreatedWebhook> => {
    // Its secret is shown, as that of a key.
    if (actor.confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
    const [name, url] = [form.text("name", MAX_LENGTH), form.text("url", MAX_LENGTH)];
    const { secret } = await runtime.webhooks.create({ name, url }, { by: actor });
    return { name: name.trim(), secret };
  },
);

export const testWebhook = defineAction({ ...OWNER, act: "test webhook" }, async ({ form, runtime, actor }) => {
  await runtime.webhooks.test(form.text("id"), actor);
});

export const deleteWebhook = defineAction({ ...OWNER, act: "delete webhook" }, async ({ form, runtime, actor }) => {
  await runtime.webhooks.remove(form.text("id"), { by: actor });
});
