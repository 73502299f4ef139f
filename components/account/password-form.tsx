"use client";

import { useActionState } from "react";
import type { PasswordAction } from "@/components/account/account-action";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";

interface PasswordFormProps {
  action: PasswordAction;
  /** Not shown: password managers look for it. */
  email: string;
  /** The fewest characters of a new password. */
  minLength: number;
}

export function PasswordForm({ action, email, minLength }: PasswordFormProps) {
  const [state, formAction] = useActionState(action, {});
  return (
    <form action={formAction} className="grid gap-4">
      {state.changed && (
        <div role="status">
          <Notice tone="note">The password is changed. Every other browser is signed out.</Notice>
        </div>
      )}
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      <TextField
        id="old"
        name="old"
        label="Password you have now"
        type="password"
        autoComplete="current-password"
        required
        maxLength={200}
        error={state.oldError}
      />
      <TextField
        id="password"
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={minLength}
        maxLength={200}
        hint={`At least ${minLength} characters. A few unrelated words work well.`}
        error={state.newError}
      />
      <div className="flex justify-end">
        <SubmitButton look="secondary">Change password</SubmitButton>
      </div>
    </form>
  );
}
