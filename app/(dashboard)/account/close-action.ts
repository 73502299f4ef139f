"use server";

import { redirect } from "next/navigation";
import { ownerOf } from "@/app/(dashboard)/keys/owner";
import { once } from "@/app/form-ticket";
import { requireSureness } from "@/app/(dashboard)/operator/closing";
import { endSession, requireAccount } from "@/app/session";
import type { StepState } from "@/components/operator/step-state";
import { isAccessError } from "@/lib/access/access-error";
import { getRuntime } from "@/lib/runtime";

/** Closes the account of whoever is signed in, and nobody else's: nothing in the form names it. */
export async function closeOwnAccount(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  try {
    const owner = await ownerOf(form);
    const { email } = await requireAccount("/account");
    await requireSureness(form, email, owner.confirmed);
    const { accounts } = await getRuntime();
    await once(ticket, "close", () => accounts.close(owner.accountId, owner));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  await endSession();
  redirect("/sign-in");
}
