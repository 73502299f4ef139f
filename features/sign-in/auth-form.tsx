"use client";

import { type ReactNode, useActionState } from "react";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { AuthAction } from "@/features/sign-in/form-state";
import { PasswordField } from "@/features/sign-in/password-field";

interface AuthFormProps {
  action: AuthAction;
  next: string;
  submit: string;
  /** Signing up asks for a new password and says what it must be. */
  newPasswordLength?: number;
  /** The address to begin with. */
  email?: string;
  children?: ReactNode;
}

/** E-mail and password. The form posts to its action with or without JavaScript, so a password never enters a URL. */
export function AuthForm({ action, next, submit, newPasswordLength, email = "", children }: AuthFormProps) {
  const [state, formAction] = useActionState(action, { email });
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      {state.message !== undefined && <Notice tone="error">{state.message}</Notice>}
      <input type="hidden" name="next" value={next} />
      <TextField
        id="email"
        name="email"
        label="E-mail"
        type="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={254}
        // React empties a form after its action; an address once typed should stay.
        key={state.email}
        defaultValue={state.email}
        error={state.emailError}
      />
      {newPasswordLength === undefined ? (
        <PasswordField autoComplete="current-password" error={state.passwordError} />
      ) : (
        <PasswordField
          autoComplete="new-password"
          minLength={newPasswordLength}
          hint={`At least ${newPasswordLength} characters. A few unrelated words work well.`}
          error={state.passwordError}
        />
      )}
      {children}
      <SubmitButton className="mt-1 h-10">{submit}</SubmitButton>
    </form>
  );
}
