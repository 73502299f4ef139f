"use client";

import { useActionState, useRef } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";
import { requestReset } from "@/features/sign-in/actions";
import { EmailField } from "@/features/sign-in/auth-form";

/** The address to which a link for a new password is mailed. `minutes`: how long it works. */
export function ForgotForm({ minutes }: { minutes: number }) {
  const [state, formAction] = useActionState(requestReset, { ...UNSENT, values: { email: "" } });
  const { errors = {}, values } = state;
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, "address", state);
  if (state.done) {
    return (
      <div className="mt-6">
        <Notice tone="note">
          If there is an account with this address and a password, a mail with a link is on its way. The link works for{" "}
          {minutes} minutes.
        </Notice>
      </div>
    );
  }
  return (
    <form ref={formRef} action={formAction} onInput={onInput} className="mt-6 grid gap-4">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <EmailField email={values?.email} error={errors.email} />
      <SubmitButton className="mt-1 h-10">Mail me a link</SubmitButton>
    </form>
  );
}
