"use server";

import { FieldError } from "@/features/forms/action-state";
import { defineAction } from "@/features/forms/define-action";
import { changeKey } from "@/features/keys/change-key";
import { readAddressLines, readKeyForm, readKeyRequest, writeKeyForm } from "@/features/keys/form-values";
import { formatLinkUrl } from "@/features/keys/key-link-data";
import type { AddressReport, KeyFormResult, KeyFormValues, KeySecret } from "@/features/keys/types";
import { requireAccount } from "@/features/session/session";
import { readApiOrigin } from "@/features/session/visitor";
import { type Grace, GRACES } from "@/lib/access/keys/key";
import { UDF_PATH } from "@/lib/api/udf/udf-endpoint";

/** Longer than any link may have. */
const MAX_QUERY_LENGTH = 5_000;

const OWNER = { by: "owner", page: "/keys" } as const;

const KEY_FORM = {
  ...OWNER,
  values: readKeyForm,
  fields: {
    invalid_label: "label",
    invalid_scopes: "scopes",
    invalid_addresses: "addresses",
    invalid_endpoints: "endpoints",
    invalid_symbols: "symbols",
    invalid_origins: "origins",
    invalid_minute_limit: "perMinute",
    invalid_day_limit: "perDay",
    invalid_expiry: "expiry",
    confirmation_required: "password",
    wrong_password: "password",
    too_many_attempts: "password",
  },
} as const;

export const createKey = defineAction<"owner", KeyFormResult, KeyFormValues>(
  { ...KEY_FORM, act: "create key" },
  async ({ form, runtime, actor }) => {
    const { expiresAtMs = null, ...key } = readKeyRequest(form, runtime.now());
    const { label, secret } = await runtime.keys.create({ ...key, expiresAtMs, accountId: actor.accountId }, actor);
    return { created: { label, secret, origin: await readApiOrigin() } };
  },
);

export const editKey = defineAction<"owner", KeyFormResult, KeyFormValues>(
  { ...KEY_FORM, act: "edit" },
  async ({ form, runtime, actor }) => {
    const { expiresAtMs, ...settings } = readKeyRequest(form, runtime.now());
    const expiry = expiresAtMs === undefined ? {} : { expiresAtMs };
    return { saved: writeKeyForm(await runtime.keys.update(form.text("id"), { ...settings, ...expiry }, actor)) };
  },
);

export const revokeKey = defineAction({ ...OWNER, act: "revoke" }, changeKey("revoke"));
export const restoreKey = defineAction({ ...OWNER, act: "restore" }, changeKey("restore"));
export const disableKey = defineAction({ ...OWNER, act: "disable" }, changeKey("disable"));
export const enableKey = defineAction({ ...OWNER, act: "enable" }, changeKey("enable"));

export const rotateKey = defineAction(
  { ...OWNER, act: "rotate" },
  async ({ form, runtime, actor }): Promise<KeySecret> => {
    const grace = Object.keys(GRACES).find((name): name is Grace => name === form.text("grace"));
    if (grace === undefined) throw new FieldError("grace", "Choose when the old key expires.");
    const { key, secret } = await runtime.keys.rotate(form.text("id"), grace, actor);
    return { label: key.label, secret, origin: await readApiOrigin() };
  },
);

export const createLink = defineAction(
  { ...OWNER, act: "create link", fields: { invalid_link: "query" } },
  async ({ form, runtime, actor }): Promise<string> => {
    const path = form.text("path");
    const target =
      path === UDF_PATH ? { path, query: "" } : runtime.checkTableLink(path, form.text("query", MAX_QUERY_LENGTH));
    const link = await runtime.links.create(form.text("id"), target, actor);
    return formatLinkUrl(link, runtime.linkTokens, await readApiOrigin());
  },
);

export const revokeLink = defineAction({ ...OWNER, act: "revoke link" }, async ({ form, runtime, actor }) => {
  await runtime.links.revoke(form.text("id"), actor);
});

/** Checks an allow-list before the form is sent, and tests an address against it. */
export async function checkAddresses(typed: string, tried: string): Promise<AddressReport> {
  await requireAccount("/keys/new");
  const { problems, warnings, cidrs, verdict } = readAddressLines(String(typed), String(tried));
  return { problems, warnings, cidrs, verdict };
}
