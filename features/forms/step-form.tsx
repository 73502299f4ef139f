"use client";

import { type ReactNode, useActionState } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { StepAction } from "@/features/forms/step-state";

interface StepFormProps {
  id: string;
  action: StepAction;
  /** What the button says, and what stands there once it was done. */
  submit: string;
  done: string;
  look?: ButtonLook;
  /** The fields. */
  children?: ReactNode;
}

/** One thing to be done to an account, as a form: it works without a script. */
export function StepForm({ id, action, submit, done, look = "secondary", children }: StepFormProps) {
  const [state, formAction] = useActionState(action, { done: false });
  return (
    <form action={formAction} className="grid gap-3">
      <input type="hidden" name="id" value={id} />
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      {state.done && (
        <div role="status">
          <Notice tone="note">{done}</Notice>
        </div>
      )}
      {children}
      <div className="flex flex-wrap justify-end gap-2">
        <SubmitButton look={look}>{submit}</SubmitButton>
      </div>
    </form>
  );
}
