"use client";

import { useActionState } from "react";
import { TextField } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";
import { type FormAction, UNSENT } from "@/features/forms/action-state";

interface CodeFormProps {
  action: FormAction;
  /** Asks for a recovery code in place of a code from the app. */
  recovery: boolean;
}

export function CodeForm({ action, recovery }: CodeFormProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      <CodeField recovery={recovery} error={state.errors?.code ?? state.error} autoFocus />
      <SubmitButton className="mt-1 h-10">Sign in</SubmitButton>
    </form>
  );
}

interface CodeFieldProps {
  id?: string;
  recovery?: boolean;
  label?: string;
  placeholder?: string;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** A field for six digits from an app; with `recovery`, also for letters. */
export function CodeField({ id = "code", recovery = false, label, placeholder, error, autoFocus }: CodeFieldProps) {
  return (
    <TextField
      id={id}
      name="code"
      label={label ?? (recovery ? "Recovery code" : "Code from your app")}
      inputMode={recovery ? "text" : "numeric"}
      autoComplete={recovery ? "off" : "one-time-code"}
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={40}
      placeholder={placeholder ?? (recovery ? "xxxx-xxxx-xxxx-xxxx" : "123 456")}
      className="numerals"
      autoFocus={autoFocus}
      error={error}
    />
  );
}
