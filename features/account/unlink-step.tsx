"use client";

import { useActionState } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { SessionAction } from "@/features/account/account-action";
import { ConfirmField } from "@/features/forms/confirm-field";

interface UnlinkStepProps {
  id: string;
  provider: string;
  action: SessionAction;
  confirmed: boolean;
}

export function UnlinkStep({ id, provider, action, confirmed }: UnlinkStepProps) {
  const [state, formAction] = useActionState(action, {});
  return (
    <details className="disclosure" open={state.error !== undefined}>
      <summary className="text-[0.8125rem]">Unlink</summary>
      <form action={formAction} className="grid gap-3 pt-2">
        {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
        <input type="hidden" name="id" value={id} />
        <ConfirmField confirmed={confirmed} />
        <div className="flex justify-end">
          <SubmitButton look="danger" size="sm">
            Unlink {provider}
          </SubmitButton>
        </div>
      </form>
    </details>
  );
}
