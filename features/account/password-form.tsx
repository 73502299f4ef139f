"use client";

import { TextField } from "@/components/ui/field";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";

interface PasswordFormProps {
  action: FormAction;
  /** Hidden, for password managers. */
  email: string;
  /** False for an account that has only identity providers, which sets its first password here. */
  hasPassword: boolean;
  /** Whether the caller was confirmed a moment ago. */
  confirmed: boolean;
  /** The minimum length of a new password. */
  minLength: number;
}

export function PasswordForm({ action, email, hasPassword, confirmed, minLength }: PasswordFormProps) {
  return (
    <ActionForm
      action={action}
      submit={hasPassword ? "Change password" : "Set a password"}
      done="Your password was changed. All other browsers are signed out."
      className="grid gap-4"
    >
      {({ errors = {} }) => (
        <>
          <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
          {hasPassword ? (
            <TextField
              id="old"
              name="old"
              label="Current password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={200}
              error={errors.old}
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
            error={errors.password}
          />
        </>
      )}
    </ActionForm>
  );
}
