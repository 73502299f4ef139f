"use client";

import { type ReactNode, useActionState, useRef, useState, useSyncExternalStore } from "react";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";

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
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, "account", state);
  return (
    <form ref={formRef} action={formAction} onInput={onInput} className="mt-6 grid gap-4">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <CookieNotice />
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

const subscribeNever = () => () => {};

/** A browser without cookies would come back to the form, which would not say why. */
function CookieNotice() {
  const hasCookies = useSyncExternalStore(
    subscribeNever,
    () => navigator.cookieEnabled,
    () => true,
  );
  if (hasCookies) return null;
  return (
    <Notice tone="error">
      This browser blocks the cookies of this site, and signing in needs one. Allow them, and load this page again.
    </Notice>
  );
}

interface EmailFieldProps {
  /** Whether browsers may fill in the field with a passkey. */
  withPasskeys?: boolean;
  /** What was sent before. React empties a form after its action; the address stays. */
  email: string | undefined;
  error: string | undefined;
}

/** The address of an account. */
export function EmailField({ withPasskeys = false, email, error }: EmailFieldProps) {
  return (
    <TextField
      id="email"
      name="email"
      label="E-mail"
      type="email"
      autoComplete={withPasskeys ? "username webauthn" : "username"}
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={254}
      key={email}
      defaultValue={email}
      error={error}
    />
  );
}

interface PasswordFieldProps {
  autoComplete: "current-password" | "new-password";
  minLength?: number;
  hint?: string;
  error?: string | undefined;
}

export function PasswordField({ autoComplete, minLength, hint, error }: PasswordFieldProps) {
  const [visible, setVisible] = useState(false);
  return (
    <TextField
      id="password"
      name="password"
      label="Password"
      type={visible ? "text" : "password"}
      autoComplete={autoComplete}
      required
      minLength={minLength}
      maxLength={200}
      hint={hint}
      error={error}
      aside={
        <button
          type="button"
          aria-pressed={visible}
          aria-controls="password"
          onClick={() => setVisible(!visible)}
          className="rounded-sm text-xs13 text-dim hover:text-ink"
        >
          {visible ? "Hide" : "Show"}
          <span className="sr-only"> password</span>
        </button>
      }
    />
  );
}
