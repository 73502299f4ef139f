"use server";

import { requireClosing } from "@/features/account/closing";
import { addPasskeyStep, type PasskeyResult } from "@/features/account/passkey-steps";
import { changeSecondFactorStep, readIntent, type SecondFactorResult } from "@/features/account/second-factor-steps";
import { FieldError } from "@/features/forms/action-state";
import { defineAction } from "@/features/forms/define-action";
import { CREATED_FIELDS } from "@/features/forms/passkey-answer";
import { endSession, ENROLMENT_PATH, isConfirmed, isSecondFactorRequired } from "@/features/session/session";
import { AccessError } from "@/lib/access/access-error";

const OWNER = { by: "owner", page: "/account" } as const;

export const revokeSession = defineAction(
  { ...OWNER, act: "revoke session" },
  async ({ form, runtime, account, actor }) => {
    await runtime.accountSessions.revoke(account.id, form.text("id"), actor);
  },
);

export const revokeOtherSessions = defineAction(
  { ...OWNER, act: "revoke others" },
  async ({ runtime, account, sessionId, actor }) => {
    await runtime.accountSessions.revokeOthers(account.id, sessionId, actor);
  },
);

export const changePassword = defineAction(
  {
    ...OWNER,
    act: "change password",
    takesPassword: false,
    fields: { invalid_password: "password", wrong_password: "old", too_many_attempts: "old" },
  },
  async ({ form, runtime, account, sessionId, actor }) => {
    const [old, password] = [form.text("old"), form.text("password")];
    if (!account.hasPassword) {
      if (!(await isConfirmed(account.id))) {
        throw new AccessError("confirmation_required", "Sign in again first, to set a password.");
      }
      await runtime.credentials.setPassword(account.id, password, actor, sessionId);
      return;
    }
    if (old === "") throw new FieldError("old", "Enter your current password.");
    if (password === old) throw new FieldError("password", "The new password is your current one.");
    await runtime.credentials.changePassword(account.id, { old, password }, actor, sessionId);
  },
);

/** Ends signing in with an identity provider. Other ways to sign in keep working. */
export const unlinkIdentity = defineAction({ ...OWNER, act: "unlink identity" }, async ({ form, runtime, actor }) => {
  await runtime.identities.unlink(form.text("id"), actor);
});

export const changeSecondFactor = defineAction<"owner", SecondFactorResult, ReturnType<typeof readIntent>>(
  {
    by: "owner",
    page: ENROLMENT_PATH,
    revalidate: "/account",
    act: (form) => `second factor ${form.text("intent")}`,
    values: readIntent,
    fields: {
      confirmation_required: "password",
      wrong_password: "password",
      wrong_code: "code",
      too_many_attempts: "code",
    },
  },
  changeSecondFactorStep,
);

/** In two steps. Also on the page for an account that lacks a required second factor. */
export const addPasskey = defineAction<"owner", PasskeyResult>(
  {
    by: "owner",
    page: ENROLMENT_PATH,
    revalidate: "/account",
    act: (form) => (form.text(CREATED_FIELDS.response) === "" ? "prepare passkey" : "add passkey"),
    fields: { invalid_name: "name" },
  },
  addPasskeyStep,
);

export const renamePasskey = defineAction(
  { ...OWNER, act: "rename passkey", fields: { invalid_name: "name" } },
  async ({ form, runtime, actor }) => {
    await runtime.passkeys.rename(form.text("id"), form.text("name"), actor);
  },
);

export const removePasskey = defineAction(
  { ...OWNER, act: "remove passkey" },
  async ({ form, runtime, account, actor }) => {
    await runtime.passkeys.remove(form.text("id"), actor, { isRequired: await isSecondFactorRequired(account) });
  },
);

/** Closes the caller's own account. Nothing in the form names an account. */
export const closeOwnAccount = defineAction({ ...OWNER, act: "close", redirectTo: "/sign-in" }, async (call) => {
  const { runtime, account, actor } = call;
  requireClosing(call, account.email);
  await runtime.accountStatus.close(account.id, actor);
  await endSession();
});
