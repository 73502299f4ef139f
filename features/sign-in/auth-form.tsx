"use client";

import { type ReactNode, useActionState } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { EmailField } from "@/features/sign-in/email-field";
import { PasswordField } from "@/features/sign-in/password-field";

interface AuthFormProps {
  action: FormAction<void, { email: string }>;
  next: string;
  submit: string;
  /** The minimum length of a new password; omitted for signing in. */
  newPasswordLength?: number;
  /** The address that is filled in initially. */
  email?: string;
  children?: ReactNode;
}

/** E-mail and password. The form posts to its action with or without JavaScript, so a password never enters a URL. */
export function AuthForm({ action, next, submit, newPasswordLength, email = "", children }: AuthFormProps) {
  const [state, formAction] = useActionState(action, { ...UNSENT, values: { email } });
  const { errors = {}, values } = state;
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <input type="hidden" name="next" value={next} />
      {/* Browsers offer passkeys here, see PasskeyForm. */}
      <EmailField withPasskeys={newPasswordLength === undefined} email={values?.email} error={errors.email} />
      {newPasswordLength === undefined ? (
        <PasswordField autoComplete="current-password" error={errors.password} />
      ) : (
        <PasswordField
          autoComplete="new-password"
          minLength={newPasswordLength}
          hint={`At least ${newPasswordLength} characters. A few unrelated words work well.`}
          error={errors.password}
        />
      )}
      {children}
      <SubmitButton className="mt-1 h-10">{submit}</SubmitButton>
    </form>
  );
}
