"use client";

import { useActionState } from "react";
import { RadioPill } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { PagePart } from "@/components/ui/page-part";
import { SubmitButton } from "@/components/ui/submit-button";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { CreatedKey } from "@/features/keys/created-key";
import type { KeySecret } from "@/features/keys/types";
import { formatDays } from "@/lib/access/keys/key-life";

const GRACE_PERIODS = [
  { value: "now", label: "Immediately" },
  { value: "1h", label: "In 1 hour" },
  { value: "24h", label: "In 24 hours" },
  { value: "7d", label: "In 7 days" },
];

const TEXT =
  "Creates a new key with the same settings. The old key keeps working until the time you choose, so that you can update " +
  "your programs, but never past its own expiry.";

interface RotateKeyProps {
  id: string;
  action: FormAction<KeySecret>;
  confirmed: boolean;
  /** The longest life of new keys; null where the operator does not bound it. */
  maxLifetimeDays: number | null;
  /** Whether the key can be rotated. The form stays on the page either way: it shows the new secret. */
  possible: boolean;
}

/** Replaces a key with a new one that has the same settings, and shows its secret once. */
export function RotateKey({ id, action, confirmed, maxLifetimeDays, possible }: RotateKeyProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  const error = state.error ?? state.errors?.grace;
  if (state.result !== undefined) return <CreatedKey {...state.result} />;
  if (!possible) return null;
  return (
    <PagePart
      titleId="rotate-title"
      title="Rotate"
      text={`${TEXT}${maxLifetimeDays === null ? "" : ` The new key ends after ${formatDays(maxLifetimeDays)} at the latest.`}`}
    >
      <form action={formAction} className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        {error !== undefined && <Notice tone="error">{error}</Notice>}
        <fieldset>
          <legend className="mb-1.5 font-medium">The old key expires</legend>
          <div className="flex flex-wrap gap-1.5">
            {GRACE_PERIODS.map(({ value, label }) => (
              <RadioPill key={value} name="grace" value={value} label={label} defaultChecked={value === "24h"} />
            ))}
          </div>
        </fieldset>
        <ConfirmField confirmed={confirmed} />
        <div>
          <SubmitButton look="secondary">Rotate key</SubmitButton>
        </div>
      </form>
    </PagePart>
  );
}
