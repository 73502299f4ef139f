"use server";

import { revalidatePath } from "next/cache";
import { ownerOf, textOf } from "@/app/(dashboard)/keys/owner";
import { apiOrigin } from "@/app/visitor";
import type { KeyActionState, RotateState } from "@/components/keys/key-action";
import { isAccessError } from "@/lib/access/access-error";
import { type Grace, GRACES, type KeyActor } from "@/lib/access/key-life";
import type { Keys } from "@/lib/access/keys";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

async function perform(
  form: FormData,
  work: (keys: Keys, id: string, owner: KeyActor) => Promise<unknown>,
): Promise<KeyActionState> {
  try {
    const owner = await ownerOf(form);
    const { keys } = await getRuntime();
    await work(keys, textOf(form, "id"), owner);
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  revalidatePath("/keys", "layout");
  return { done: true };
}

export async function revokeKey(_: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(form, (keys, id, owner) => keys.revoke(id, owner));
}

export async function restoreKey(_: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(form, (keys, id, owner) => keys.restore(id, owner));
}

export async function disableKey(_: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(form, (keys, id, owner) => keys.disable(id, owner));
}

export async function enableKey(_: KeyActionState, form: FormData): Promise<KeyActionState> {
  return perform(form, (keys, id, owner) => keys.enable(id, owner));
}

export async function rotateKey(_: RotateState, form: FormData): Promise<RotateState> {
  const grace = Object.keys(GRACES).find((name): name is Grace => name === textOf(form, "grace"));
  try {
    const owner = await ownerOf(form);
    const { keys } = await getRuntime();
    if (grace === undefined) return { step: "asking", error: "Choose how long the old key goes on working." };
    const { key, secret } = await keys.rotate(textOf(form, "id"), grace, owner);
    revalidatePath("/keys", "layout");
    return { step: "created", id: key.id, label: key.label, secret, origin: await apiOrigin() };
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { step: "asking", error: error.message };
  }
}
