"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { requireSureness } from "@/features/account/closing";
import { performOnce, textOf } from "@/features/forms/owner";
import type { StepState } from "@/features/forms/step-state";
import { readLimit } from "@/features/operator/limits";
import { operatorOf } from "@/features/operator/operator";
import { AccessError, isAccessError } from "@/lib/access/access-error";
import type { Operator } from "@/lib/access/actor";
import { PLAN_NAMES } from "@/lib/access/plans";
import { getRuntime, type Runtime } from "@/lib/runtime";

/** Actions are reachable by anyone who can post: each one asks who is calling before it does anything. */

async function perform(
  ticket: string,
  act: string,
  form: FormData,
  work: (runtime: Runtime, id: string, operator: Operator) => unknown,
): Promise<StepState> {
  try {
    const operator = await operatorOf(form);
    const runtime = await getRuntime();
    const id = textOf(form, "id");
    const asked = { ticket, act: `${act} ${id}`, form, owner: operator };
    await performOnce(asked, async () => work(runtime, id, operator));
  } catch (error) {
    if (!isAccessError(error)) throw error;
    return { done: false, error: error.message };
  }
  revalidatePath("/operator", "layout");
  return { done: true };
}

export async function setPlan(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  return perform(ticket, "plan", form, ({ accounts }, id, operator) => {
    const plan = PLAN_NAMES.find((name) => name === textOf(form, "plan"));
    if (plan === undefined) throw new AccessError("invalid_plan", "Choose a plan.");
    return accounts.setPlan(id, plan, operator);
  });
}

export async function setLimits(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  return perform(ticket, "limits", form, ({ accounts }, id, operator) => {
    const limits = { perMinute: readLimit(textOf(form, "perMinute")), perDay: readLimit(textOf(form, "perDay")) };
    return accounts.setLimits(id, limits, operator);
  });
}

export async function suspendAccount(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  return perform(ticket, "suspend", form, ({ accountStatus }, id, operator) => {
    const reason = textOf(form, "reason");
    if (reason.trim() === "") throw new AccessError("invalid_reason", "Say why. The audit log keeps it.");
    return accountStatus.setSuspended(id, true, operator, reason);
  });
}

export async function resumeAccount(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  return perform(ticket, "resume", form, ({ accountStatus }, id, operator) =>
    accountStatus.setSuspended(id, false, operator, textOf(form, "reason")),
  );
}

export async function closeAccount(ticket: string, _: StepState, form: FormData): Promise<StepState> {
  const state = await perform(ticket, "close", form, async ({ accounts, accountStatus }, id, operator) => {
    const account = await accounts.find(id);
    if (account === null) throw new AccessError("account_not_found", "There is no such account any more.");
    await requireSureness(form, account.email, operator.confirmed);
    await accountStatus.close(id, operator);
  });
  if (state.done) redirect("/operator/accounts");
  return state;
}
