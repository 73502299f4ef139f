"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { readAddressLines } from "@/app/(dashboard)/keys/address-lines";
import { readExpiry } from "@/app/(dashboard)/keys/expiry";
import { requireAccount } from "@/app/session";
import {
  EMPTY_KEY,
  type AddressProblem,
  type KeyFormState,
  type KeyFormValues,
} from "@/components/keys/key-form-state";
import { isAccessError, type AccessErrorCode } from "@/lib/access/access-error";
import { isScope } from "@/lib/access/scopes";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

const fieldOf: Partial<Record<AccessErrorCode, "label" | "scopes" | "addresses" | "expiry">> = {
  invalid_label: "label",
  invalid_scopes: "scopes",
  invalid_addresses: "addresses",
  invalid_expiry: "expiry",
};

function readValues(form: FormData): KeyFormValues {
  const text = (name: keyof KeyFormValues): string => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    label: text("label"),
    kind: text("kind") === "tool" ? "tool" : EMPTY_KEY.kind,
    scopes: form
      .getAll("scopes")
      .filter((scope) => typeof scope === "string" && isScope(scope)) as KeyFormValues["scopes"],
    addresses: text("addresses"),
    expiry: text("expiry"),
    expiryDate: text("expiryDate"),
  };
}

export async function createKey(_: KeyFormState, form: FormData): Promise<KeyFormState> {
  const account = await requireAccount("/keys/new");
  const { keys, now, config } = await getRuntime();
  const values = readValues(form);
  const { addresses, problems } = readAddressLines(values.addresses);
  const expiresAtMs = readExpiry(values, now());
  const refuse = (errors: Extract<KeyFormState, { step: "editing" }>["errors"]): KeyFormState => {
    return { step: "editing", values, errors, addressProblems: problems };
  };

  if (values.label.trim() === "") return refuse({ label: "Give the key a name you will recognise it by." });
  if (values.scopes.length === 0) return refuse({ scopes: "Choose at least one scope." });
  if (problems.length > 0) return refuse({ addresses: "Some lines are not addresses or ranges." });
  if (expiresAtMs === undefined) return refuse({ expiry: "Choose a day." });

  try {
    const { label, secret } = await keys.create({
      accountId: account.id,
      label: values.label,
      kind: values.kind,
      scopes: values.scopes,
      addresses,
      expiresAtMs,
    });
    revalidatePath("/keys");
    const origin = config.url ?? `http://${(await headers()).get("host") ?? "localhost"}`;
    return { step: "created", label, secret, origin: origin.replace(/\/$/, "") };
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return refuse({ [fieldOf[error.code] ?? "form"]: error.message });
  }
}

/** What is wrong with an allow-list, before the form is sent. */
export async function checkAddresses(typed: string): Promise<readonly AddressProblem[]> {
  await requireAccount("/keys/new");
  return typeof typed === "string" ? readAddressLines(typed).problems : [];
}

export interface RevokeState {
  readonly revoked: boolean;
  readonly error?: string;
}

export async function revokeKey(_: RevokeState, form: FormData): Promise<RevokeState> {
  const account = await requireAccount("/keys");
  const { keys } = await getRuntime();
  const id = form.get("id");
  try {
    await keys.revoke(typeof id === "string" ? id : "", { accountId: account.id });
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { revoked: false, error: error.message };
  }
  revalidatePath("/keys");
  return { revoked: true };
}
