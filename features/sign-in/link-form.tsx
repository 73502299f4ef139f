"use client";

import { useActionState } from "react";
import { SubmitButton } from "@/components/ui/submit-button";
import { PasswordField } from "@/features/sign-in/password-field";

export interface LinkState {
  readonly error?: string;
}

interface LinkFormProps {
  action: (state: LinkState, form: FormData) => Promise<LinkState>;
  /** Not shown again: password managers look for it. */
  email: string;
}

export function LinkForm({ action, email }: LinkFormProps) {
  const [state, formAction] = useActionState(action, {});
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      <PasswordField autoComplete="current-password" error={state.error} />
      <SubmitButton className="mt-1 h-10">Link and sign in</SubmitButton>
    </form>
  );
}
