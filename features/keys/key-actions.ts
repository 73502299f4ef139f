"use server";

import { revalidatePath } from "next/cache";
import type { KeyActionState, RotateState } from "@/features/forms/key-action";
import { ownerOf, performOnce, textOf } from "@/features/forms/owner";
import { apiOrigin } from "@/features/session/visitor";
import { isAccessError } from "@/lib/access/access-error";
import type { Owner } from "@/lib/access/actor";
import { type Grace, GRACES } from "@/lib/access/keys/key";
import type { Keys } from "@/lib/access/keys/keys";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

async function perform(
  ticket: string,
  act: string,
  form: FormData,
  work: (keys: Keys, id: string, owner: Owner) => Promise<unknown>,
): Promise<KeyActionState> {
  try {
    const owner = await ownerOf(form);
    const { keys } = await getRuntime();
    const id = textOf(form, "id");
    await performOnce({ ticket, act: `${act} ${id}`, form, owner }, () => work(keys, id, owner));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  revalidatePath("/keys", "layout");
  return { done: true };
}

export async function revokeKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "revoke", form, (keys, id, owner) => keys.revoke(id, owner));
}

export async function restoreKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "restore", form, (keys, id, owner) => keys.restore(id, owner));
}

export async function disableKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "disable", form, (keys, id, owner) => keys.disable(id, owner));
}

export async function enableKey(ticket: string, _: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(ticket, "enable", form, (keys, id, owner) => keys.enable(id, owner));
}

export async function rotateKey(ticket: string, _: RotateState, form: FormData): Promise<RotateState> {
  const grace = Object.keys(GRACES).find((name): name is Grace => name === textOf(form, "grace"));
  try {
    const owner = await ownerOf(form);
    const { keys } = await getRuntime();
    if (grace === undefined) return { step: "asking", error: "Choose how long the old key goes on working." };
    const id = textOf(form, "id");
    const asked = { ticket, act: `rotate ${id}`, form, owner };
    const { key, secret } = await performOnce(asked, () => keys.rotate(id, grace, owner));
    revalidatePath("/keys", "layout");
    return { step: "created", id: key.id, label: key.label, secret, origin: await apiOrigin() };
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { step: "asking", error: error.message };
  }
}
