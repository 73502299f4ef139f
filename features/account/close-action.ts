"use server";

import { redirect } from "next/navigation";
import { requireSureness } from "@/features/account/closing";
import { once } from "@/features/forms/form-ticket";
import { ownerOf } from "@/features/forms/owner";
import type { StepState } from "@/features/forms/step-state";
import { endSession, requireAccount } from "@/features/session/session";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** Closes the account of whoever is signed in, and nobody else's: nothing in the form names it. */
export async function closeOwnAccount(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  try {
    const owner = await ownerOf(form);
    const { email } = await requireAccount("/account");
    await requireSureness(form, email, owner.confirmed);
    const { accountStatus } = await getRuntime();
    await once(ticket, "close", () => accountStatus.close(owner.accountId, owner));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  await endSession();
  redirect("/sign-in");
}
