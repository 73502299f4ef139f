"use client";

import { useActionState, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";

interface RevokeState {
  readonly revoked: boolean;
  readonly error?: string;
}

export type RevokeAction = (state: RevokeState, form: FormData) => Promise<RevokeState>;

interface RevokeKeyProps {
  id: string;
  label: string;
  action: RevokeAction;
}

/** Ends a key for good, after asking. */
export function RevokeKey({ id, label, action }: RevokeKeyProps) {
  const [asking, setAsking] = useState(false);
  const [state, formAction] = useActionState(
    async (before: RevokeState, form: FormData) => {
      const after = await action(before, form);
      if (after.revoked) {
        setAsking(false);
        announce(`“${label}” is revoked`);
      }
      return after;
    },
    { revoked: false },
  );

  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Revoke<span className="sr-only"> {label}</span>
      </Button>
      <Dialog open={asking} title={`Revoke “${label}”?`} onDismiss={() => setAsking(false)}>
        <p className="mt-2 text-dim">
          Every call made with it is refused from this moment on. A revoked key cannot be brought back.
        </p>
        {state.error !== undefined && (
          <div className="mt-3">
            <Notice tone="error">{state.error}</Notice>
          </div>
        )}
        <form action={formAction} className="mt-5 flex justify-end gap-2">
          <input type="hidden" name="id" value={id} />
          <Button look="quiet" onClick={() => setAsking(false)} autoFocus>
            Keep it
          </Button>
          <SubmitButton look="danger">Revoke key</SubmitButton>
        </form>
      </Dialog>
    </>
  );
}
