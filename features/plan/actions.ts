"use server";

import { defineAction } from "@/features/forms/define-action";

const PLAN = { by: "owner", page: "/plan" } as const;
/** Longer input is cut before it is checked. */
const MAX_TEXT = 1_000;

export const requestPlan = defineAction({ ...PLAN, act: "request plan" }, async ({ form, runtime, actor }) => {
  await runtime.planRequests.create({ plan: form.text("plan"), message: form.text("message", MAX_TEXT) }, actor);
});

export const withdrawPlanRequest = defineAction({ ...PLAN, act: "withdraw" }, async ({ form, runtime, actor }) => {
  await runtime.planRequests.withdraw(form.text("id"), actor);
});
