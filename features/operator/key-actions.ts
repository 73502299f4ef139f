"use server";

import { revalidatePath } from "next/cache";
import type { KeyActionState } from "@/features/forms/key-action";
import { performOnce, textOf } from "@/features/forms/owner";
import { operatorOf } from "@/features/operator/operator";
import { isAccessError } from "@/lib/access/access-error";
import type { Operator } from "@/lib/access/actor";
import type { Keys } from "@/lib/access/keys/keys";
import { getRuntime } from "@/lib/runtime";

/** The keys of whoever it may be. Each action asks whether it is an operator who calls before it does anything. */

async function perform(
  ticket: string,
  act: string,
  form: FormData,
  work: (keys: Keys, id: string, operator: Operator) => Promise<unknown>,
): Promise<KeyActionState> {
  try {
    const operator = await operatorOf(form);
    const { keys } = await getRuntime();
    const id = textOf(form, "id");
    const asked = { ticket, act: `${act} ${id}`, form, owner: operator };
    await performOnce(asked, () => work(keys, id, operator));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  revalidatePath("/operator", "layout");
  return { done: true };
}

export async function revokeAnyKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "revoke", form, (keys, id, operator) => keys.revoke(id, operator));
}

export async function restoreAnyKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "restore", form, (keys, id, operator) => keys.restore(id, operator));
}

export async function disableAnyKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "disable", form, (keys, id, operator) => keys.disable(id, operator));
}

export async function enableAnyKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "enable", form, (keys, id, operator) => keys.enable(id, operator));
}
