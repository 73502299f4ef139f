"use client";

import { type ReactNode, useActionState } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { SessionAction } from "@/features/account/account-action";

/** A form of one button that ends sessions: one by its id, or all the others. It works without a script. */
export function SessionStep({ id, action, children }: { id?: string; action: SessionAction; children: ReactNode }) {
  const [state, formAction] = useActionState(action, {});
  return (
    <form action={formAction} className="grid justify-items-end gap-2">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      <SubmitButton look="secondary" size="sm">
        {children}
      </SubmitButton>
    </form>
  );
}
