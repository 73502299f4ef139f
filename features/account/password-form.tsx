"use client";

import { useActionState } from "react";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { PasswordAction } from "@/features/account/account-action";
import { ConfirmField } from "@/features/forms/confirm-field";

interface PasswordFormProps {
  action: PasswordAction;
  /** Not shown: password managers look for it. */
  email: string;
  /** An account that signs in with somebody else may have none, and sets its first here. */
  hasPassword: boolean;
  /** Whether its owner has said a moment ago who they are. */
  confirmed: boolean;
  /** The fewest characters of a new password. */
  minLength: number;
}

export function PasswordForm({ action, email, hasPassword, confirmed, minLength }: PasswordFormProps) {
  const [state, formAction] = useActionState(action, {});
  return (
    <form action={formAction} className="grid gap-4">
      {state.changed && (
        <div role="status">
          <Notice tone="note">The password is changed. Every other browser is signed out.</Notice>
        </div>
      )}
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      {hasPassword ? (
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
      ) : (
        <ConfirmField confirmed={confirmed} />
      )}
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
        <SubmitButton look="secondary">{hasPassword ? "Change password" : "Set a password"}</SubmitButton>
      </div>
    </form>
  );
}
