"use client";

import { useActionState } from "react";
import { TextField } from "@/components/ui/field";
import { SubmitButton } from "@/components/ui/submit-button";

export interface CodeState {
  readonly error?: string;
}

interface CodeFormProps {
  action: (state: CodeState, form: FormData) => Promise<CodeState>;
  /** Asks for one of the codes that stand in for the device. */
  recovery: boolean;
}

export function CodeForm({ action, recovery }: CodeFormProps) {
  const [state, formAction] = useActionState(action, {});
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      <CodeField recovery={recovery} error={state.error} autoFocus />
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

/** Six digits of an app's; with `recovery`, or where both will do, letters too. */
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
