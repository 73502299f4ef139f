"use server";

import { revalidatePath } from "next/cache";
import { ownerOf, performOnce, textOf } from "@/features/forms/owner";
import { readAddressLines } from "@/features/keys/address-lines";
import { readExpiry } from "@/features/keys/expiry";
import { type AddressReport, EMPTY_KEY, type KeyFormState, type KeyFormValues } from "@/features/keys/key-form-state";
import { requireAccount } from "@/features/session/session";
import { apiOrigin } from "@/features/session/visitor";
import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { Owner } from "@/lib/access/actor";
import { checkLabel, checkScopes } from "@/lib/access/keys/key-settings";
import { isScope } from "@/lib/access/scopes";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

type EditingState = Extract<KeyFormState, { step: "editing" }>;

const fieldOf: Partial<Record<AccessErrorCode, keyof EditingState["errors"]>> = {
  invalid_label: "label",
  invalid_scopes: "scopes",
  invalid_addresses: "addresses",
  invalid_expiry: "expiry",
  confirmation_required: "password",
  wrong_password: "password",
  too_many_attempts: "password",
};

function readValues(form: FormData): KeyFormValues {
  return {
    label: textOf(form, "label"),
    kind: textOf(form, "kind") === "tool" ? "tool" : EMPTY_KEY.kind,
    scopes: form
      .getAll("scopes")
      .filter((scope) => typeof scope === "string" && isScope(scope)) as KeyFormValues["scopes"],
    addresses: textOf(form, "addresses"),
    expiry: textOf(form, "expiry"),
    expiryDate: textOf(form, "expiryDate"),
  };
}

/** Reads the form and does `work` with it, or says beside which field what is wrong. */
async function submit(
  form: FormData,
  work: (
    owner: Owner,
    asked: KeyFormValues & { addressLines: readonly string[]; expiresAtMs: number | null | "keep" },
  ) => Promise<KeyFormState>,
): Promise<KeyFormState> {
  const { now } = await getRuntime();
  const values = readValues(form);
  const { addresses, problems } = readAddressLines(values.addresses);
  const expiresAtMs = values.expiry === "keep" ? "keep" : readExpiry(values, now());
  const refuse = (errors: EditingState["errors"]): KeyFormState => {
    return { step: "editing", values, errors, addressProblems: problems };
  };
  try {
    const owner = await ownerOf(form);
    checkLabel(values.label);
    checkScopes(values.scopes);
    if (problems.length > 0) return refuse({ addresses: "Some lines are not addresses or ranges." });
    if (expiresAtMs === undefined) return refuse({ expiry: "Choose a day." });
    return await work(owner, { ...values, addressLines: addresses, expiresAtMs });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuse({ [fieldOf[error.code] ?? "form"]: error.message });
  }
}

export async function createKey(ticket: string, _: KeyFormState, form: FormData): Promise<KeyFormState> {
  return submit(form, async (owner, { label: name, kind, scopes, addressLines, expiresAtMs }) => {
    const { keys } = await getRuntime();
    const expires = { expiresAtMs: expiresAtMs === "keep" ? null : expiresAtMs };
    const asked = { accountId: owner.accountId, label: name, kind, scopes, addresses: addressLines, ...expires };
    const { label, secret } = await performOnce({ ticket, act: "create key", form, owner }, () =>
      keys.create(asked, owner),
    );
    revalidatePath("/keys");
    return { step: "created", label, secret, origin: await apiOrigin() };
  });
}

export async function editKey(ticket: string, _: KeyFormState, form: FormData): Promise<KeyFormState> {
  return submit(form, async (owner, { addressLines, expiresAtMs, ...values }) => {
    const { keys } = await getRuntime();
    const { label, scopes } = values;
    const expires = expiresAtMs === "keep" ? {} : { expiresAtMs };
    const id = textOf(form, "id");
    const asked = { label, scopes, addresses: addressLines, ...expires };
    const changed = await performOnce({ ticket, act: `edit ${id}`, form, owner }, () => keys.update(id, asked, owner));
    revalidatePath("/keys", "layout");
    const addresses = changed.allowedCidrs.join("\n");
    const saved = { label: changed.label, kind: changed.kind, scopes: changed.scopes, addresses };
    return {
      step: "editing",
      values: { ...saved, expiry: "keep", expiryDate: "" },
      errors: {},
      addressProblems: [],
      saved: true,
    };
  });
}

/** What there is to say of an allow-list before the form is sent, and of an address tried against it. */
export async function checkAddresses(typed: string, tried: string): Promise<AddressReport> {
  await requireAccount("/keys/new");
  const { problems, warnings, cidrs, verdict } = readAddressLines(String(typed), String(tried));
  return { problems, warnings, cidrs, verdict };
}
