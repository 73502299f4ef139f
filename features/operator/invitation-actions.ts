"use server";

import { revalidatePath } from "next/cache";
import { once } from "@/features/forms/form-ticket";
import { textOf } from "@/features/forms/owner";
import type { StepState } from "@/features/forms/step-state";
import type { InvitationState } from "@/features/operator/invitation-form";
import { operatorOf } from "@/features/operator/operator";
import { apiOrigin } from "@/features/session/visitor";
import { isAccessError } from "@/lib/access/access-error";
import { PLAN_NAMES } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

export async function createInvitation(ticket: string, _: InvitationState, form: FormData): Promise<InvitationState> {
  try {
    const operator = await operatorOf(form);
    const { invitations } = await getRuntime();
    const plan = PLAN_NAMES.find((name) => name === textOf(form, "plan"));
    const asked = { email: textOf(form, "email").slice(0, 320), plan };
    const { token, email } = await once(ticket, "invite", () => invitations.create(asked, operator));
    revalidatePath("/operator/invitations");
    return { link: `${await apiOrigin()}/sign-up?invitation=${token}`, email };
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return error.code === "invalid_email" ? { emailError: error.message } : { error: error.message };
  }
}

export async function removeInvitation(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  try {
    const operator = await operatorOf(form);
    const { invitations } = await getRuntime();
    const id = textOf(form, "id");
    await once(ticket, `remove ${id}`, () => invitations.remove(id, operator));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  revalidatePath("/operator/invitations");
  return { done: true };
}
