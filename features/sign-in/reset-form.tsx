"use client";

import { useActionState } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { UNSENT } from "@/features/forms/action-state";
import { resetPassword } from "@/features/sign-in/actions";
import { PasswordField } from "@/features/sign-in/auth-form";

interface ResetFormProps {
  /** The token of the link. */
  token: string;
  email: string;
  minLength: number;
}

/** A new password for the account of a link. */
export function ResetForm({ token, email, minLength }: ResetFormProps) {
  const [state, formAction] = useActionState(resetPassword, UNSENT);
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <input type="hidden" name="token" value={token} />
      {/* Password managers store the new password under this name. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        autoComplete="new-password"
        minLength={minLength}
        hint={`At least ${minLength} characters. A few unrelated words work well.`}
        error={state.errors?.password}
      />
      <p className="text-xs13 text-dim">All sessions of {email} end.</p>
      <SubmitButton className="mt-1 h-10">Set the password</SubmitButton>
    </form>
  );
}
