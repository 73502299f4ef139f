"use server";

import { requireClosing } from "@/features/account/closing";
import { defineAction } from "@/features/forms/define-action";
import { changeKey } from "@/features/keys/change-key";
import { readLimit } from "@/features/operator/limits";
import { readApiOrigin } from "@/features/session/visitor";
import { AccessError } from "@/lib/access/access-error";
import { PLAN_NAMES } from "@/lib/access/plans";

/** A stolen session must not give plans, invitations or rights to anybody, nor take an account from its owner. */
const CONFIRMED = { by: "operator", needsConfirmation: true } as const;
const ACCOUNTS = { ...CONFIRMED, page: "/operator/accounts", revalidate: "/operator" } as const;
const KEYS = { by: "operator", page: "/operator/keys", revalidate: "/operator" } as const;
const REQUESTS = { by: "operator", page: "/operator/plan-requests", revalidate: "/operator" } as const;
const INVITATIONS = { by: "operator", page: "/operator/invitations" } as const;

/** A valid address has at most 254 characters. Longer input is cut before it is checked. */
const MAX_EMAIL_LENGTH = 320;

export const setPlan = defineAction({ ...ACCOUNTS, act: "plan" }, async ({ form, runtime, actor }) => {
  const plan = PLAN_NAMES.find((name) => name === form.text("plan"));
  if (plan === undefined) throw new AccessError("invalid_plan", "Choose a plan.");
  await runtime.accounts.setPlan(form.text("id"), plan, actor);
});

export const setLimits = defineAction({ ...ACCOUNTS, act: "limits" }, async ({ form, runtime, actor }) => {
  const limits = { perMinute: readLimit(form.text("perMinute")), perDay: readLimit(form.text("perDay")) };
  await runtime.accounts.setLimits(form.text("id"), limits, actor);
});

export const suspendAccount = defineAction({ ...ACCOUNTS, act: "suspend" }, async ({ form, runtime, actor }) => {
  const reason = form.text("reason");
  if (reason.trim() === "") throw new AccessError("invalid_reason", "Enter a reason. It is stored in the audit log.");
  await runtime.accountStatus.setSuspended(form.text("id"), true, actor, reason);
});

export const resumeAccount = defineAction({ ...ACCOUNTS, act: "resume" }, async ({ form, runtime, actor }) => {
  await runtime.accountStatus.setSuspended(form.text("id"), false, actor, form.text("reason"));
});

export const closeAccount = defineAction(
  { ...ACCOUNTS, act: "close", redirectTo: "/operator/accounts" },
  async (call) => {
    const { form, runtime, actor } = call;
    const account = await runtime.accounts.find(form.text("id"));
    if (account === null) throw new AccessError("account_not_found", "This account no longer exists.");
    requireClosing(call, account.email);
    await runtime.accountStatus.close(account.id, actor);
  },
);

export const revokeAnyKey = defineAction({ ...KEYS, act: "revoke" }, changeKey("revoke"));
export const restoreAnyKey = defineAction({ ...KEYS, act: "restore" }, changeKey("restore"));
export const disableAnyKey = defineAction({ ...KEYS, act: "disable" }, changeKey("disable"));
export const enableAnyKey = defineAction({ ...KEYS, act: "enable" }, changeKey("enable"));

export const approvePlanRequest = defineAction(
  { ...REQUESTS, ...CONFIRMED, act: "approve" },
  async ({ form, runtime, actor }) => {
    await runtime.planRequests.approve(form.text("id"), actor);
  },
);

export const declinePlanRequest = defineAction({ ...REQUESTS, act: "decline" }, async ({ form, runtime, actor }) => {
  await runtime.planRequests.decline(form.text("id"), form.text("reason"), actor);
});

export const createInvitation = defineAction(
  { ...INVITATIONS, ...CONFIRMED, act: "invite", fields: { invalid_email: "email" } },
  async ({ form, runtime, actor }) => {
    const plan = PLAN_NAMES.find((name) => name === form.text("plan"));
    const request = { email: form.text("email", MAX_EMAIL_LENGTH), plan };
    const { token, email } = await runtime.invitations.create(request, actor);
    return { link: `${await readApiOrigin()}/sign-up?invitation=${token}`, email };
  },
);

export const removeInvitation = defineAction({ ...INVITATIONS, act: "remove" }, async ({ form, runtime, actor }) => {
  await runtime.invitations.remove(form.text("id"), actor);
});
