"use client";

import { CopyLine } from "@/components/ui/copy-line";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { formatPlan, PLAN_NAMES } from "@/lib/access/plans";

interface CreatedInvitation {
  /** Shown once. */
  readonly link: string;
  /** The only address that may use it. */
  readonly email: string | null;
}

/** Creates an invitation and shows its link, once. */
export function InvitationForm({ action, confirmed }: { action: FormAction<CreatedInvitation>; confirmed: boolean }) {
  return (
    <ActionForm
      action={action}
      confirmed={confirmed}
      submit="Create invitation"
      look="primary"
      className="grid min-w-0 gap-3"
    >
      {({ result, errors = {} }) => (
        <>
          {result !== undefined && (
            <div role="status" className="grid min-w-0 gap-2">
              <Notice tone="note">
                Send this link to {result.email ?? "the person you invite"}. It works once and cannot be shown again.
              </Notice>
              <CopyLine id="invitation-link" label="Link" text={result.link} />
            </div>
          )}
          <div className="grid items-start gap-3 sm:max-wide:grid-cols-2">
            <TextField
              id="invited-email"
              name="email"
              label="E-mail, optional"
              type="email"
              hint="If set, only this address can use the invitation."
              autoComplete="off"
              autoCapitalize="none"
              maxLength={254}
              error={errors.email}
            />
            <SelectField id="invited-plan" name="plan" label="Plan" defaultValue="free">
              {PLAN_NAMES.map((name) => (
                <option key={name} value={name}>
                  {formatPlan(name)}
                </option>
              ))}
            </SelectField>
          </div>
        </>
      )}
    </ActionForm>
  );
}
