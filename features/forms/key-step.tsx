"use client";

import { type ReactNode, useActionState } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { ConfirmField } from "@/features/forms/confirm-field";
import type { KeyAction } from "@/features/forms/key-action";

interface KeyStepProps {
  id: string;
  action: KeyAction;
  /** What the button says. */
  children: ReactNode;
  look?: ButtonLook;
  /** Left out for what needs no password. */
  confirmed?: boolean;
  /** Stands beside the button. */
  aside?: ReactNode;
}

/** One step in the life of a key, as a form: it works without a script. */
export function KeyStep({ id, action, children, look = "secondary", confirmed, aside }: KeyStepProps) {
  const [state, formAction] = useActionState(action, { done: false });
  return (
    <form action={formAction} className="grid gap-3">
      <input type="hidden" name="id" value={id} />
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      {confirmed !== undefined && <ConfirmField confirmed={confirmed} />}
      <div className="flex flex-wrap justify-end gap-2">
        {aside}
        <SubmitButton look={look}>{children}</SubmitButton>
      </div>
    </form>
  );
}
