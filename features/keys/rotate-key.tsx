"use client";

import { useActionState } from "react";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { ConfirmField } from "@/features/forms/confirm-field";
import type { RotateAction } from "@/features/forms/key-action";
import { CreatedKey } from "@/features/keys/created-key";

const graces = [
  { value: "now", label: "Not at all" },
  { value: "1h", label: "1 hour" },
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
];

interface RotateKeyProps {
  id: string;
  action: RotateAction;
  confirmed: boolean;
  /** Whether the key can be rotated. The part stays on the page either way, since it shows the new secret. */
  possible: boolean;
}

/** Replaces a key by a new one with the same settings, which its owner sees once. */
export function RotateKey({ id, action, confirmed, possible }: RotateKeyProps) {
  const [state, formAction] = useActionState(action, { step: "asking" });
  if (state.step === "created") return <CreatedKey label={state.label} secret={state.secret} origin={state.origin} />;
  if (!possible) return null;
  return (
    <section aria-labelledby="rotate-title" className="page-part">
      <h2 id="rotate-title">Rotate</h2>
      <p>
        Makes a new key with the same settings. The old one goes on working for a while, so that your programs can
        change over; it never outlives its own expiry.
      </p>
      <form action={formAction} className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
        <fieldset>
          <legend className="mb-1.5 font-medium">The old key goes on working for</legend>
          <div className="flex flex-wrap gap-1.5">
            {graces.map(({ value, label }) => (
              <label key={value} className="pill">
                <input type="radio" name="grace" value={value} defaultChecked={value === "24h"} className="sr-only" />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <ConfirmField confirmed={confirmed} />
        <div className="flex justify-end">
          <SubmitButton look="secondary">Rotate key</SubmitButton>
        </div>
      </form>
    </section>
  );
}
