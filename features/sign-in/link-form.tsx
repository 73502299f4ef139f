"use client";

import { useActionState } from "react";
import { SubmitButton } from "@/components/ui/submit-button";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { PasswordField } from "@/features/sign-in/auth-form";

interface LinkFormProps {
  action: FormAction;
  /** Hidden, for password managers. */
  email: string;
}

export function LinkForm({ action, email }: LinkFormProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  return (
    <form action={formAction} className="mt-6 grid gap-4">
      <input type="text" name="username" autoComplete="username" defaultValue={email} hidden readOnly />
      <PasswordField autoComplete="current-password" error={state.errors?.password ?? state.error} />
      <SubmitButton className="mt-1 h-10">Link and sign in</SubmitButton>
    </form>
  );
}
