"use client";

import { useActionState } from "react";
import { CopyLine } from "@/components/ui/copy-line";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { formatPlan } from "@/lib/access/plan-text";
import { PLAN_NAMES } from "@/lib/access/plans";

export interface InvitationState {
  /** Here and nowhere else, once. */
  readonly link?: string;
  /** The only address that may use it. */
  readonly email?: string | null;
  readonly emailError?: string;
  readonly error?: string;
}

interface InvitationFormProps {
  action: (state: InvitationState, form: FormData) => Promise<InvitationState>;
}

/** Makes an invitation and shows its link, once. */
export function InvitationForm({ action }: InvitationFormProps) {
  const [state, formAction] = useActionState(action, {});
  const { link, email, emailError, error } = state;
  return (
    <form action={formAction} className="grid min-w-0 gap-3">
      {error !== undefined && <Notice tone="error">{error}</Notice>}
      {link !== undefined && (
        <div role="status" className="grid min-w-0 gap-2">
          <Notice tone="note">
            Send this link to {email ?? "whoever is to use it"}. It works once and cannot be shown again.
          </Notice>
          <CopyLine id="invitation-link" label="Link" text={link} />
        </div>
      )}
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          id="invited-email"
          name="email"
          label="E-mail, optional"
          type="email"
          hint="Then only this address can use it."
          autoComplete="off"
          autoCapitalize="none"
          maxLength={254}
          error={emailError}
        />
        <SelectField id="invited-plan" name="plan" label="Plan" defaultValue="free">
          {PLAN_NAMES.map((name) => (
            <option key={name} value={name}>
              {formatPlan(name)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex justify-end">
        <SubmitButton>Create invitation</SubmitButton>
      </div>
    </form>
  );
}
