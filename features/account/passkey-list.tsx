"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { Moment } from "@/components/shared/moment";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { PasskeyResult } from "@/features/account/passkey-steps";
import { ActionForm } from "@/features/forms/action-form";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { createPasskey, describeProblem, submitWith, usePasskeySupport } from "@/features/forms/sign-in-again";
import { useDraft } from "@/features/forms/use-draft";
import type { Passkey } from "@/lib/access/sign-in/passkeys";

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  rename: FormAction;
  remove: FormAction;
  /** Whether the caller was confirmed a moment ago. */
  confirmed: boolean;
  nowMs: number;
}

const BACKUPS: Readonly<Record<Passkey["backup"], string>> = {
  "backed-up": "Backed up",
  "not-yet": "Not backed up yet",
  "device-bound": "On one device only",
};

/** An account's passkeys, each with forms to rename and to remove it. */
export function PasskeyList({ passkeys, rename, remove, confirmed, nowMs }: PasskeyListProps) {
  return (
    <ul className="grid gap-3">
      {passkeys.map(({ id, name, backup, createdAtMs, lastUsedAtMs }) => (
        <li key={id} className="grid gap-1 rounded-md border border-line p-3">
          <p className="font-medium break-words">{name}</p>
          <p className="text-xs13 text-dim">
            {BACKUPS[backup]}, created <Moment atMs={createdAtMs} nowMs={nowMs} />,{" "}
            {lastUsedAtMs === null ? (
              "never used"
            ) : (
              <>
                last used <Moment atMs={lastUsedAtMs} nowMs={nowMs} />
              </>
            )}
          </p>
          <ActionForm id={id} action={rename} submit="Save name" size="sm" summary="Rename">
            {({ errors = {} }) => (
              <TextField
                id={`name-${id}`}
                key={name}
                name="name"
                label="New name"
                defaultValue={name}
                autoComplete="off"
                required
                maxLength={60}
                error={errors.name}
              />
            )}
          </ActionForm>
          <ActionForm
            id={id}
            action={remove}
            submit="Remove passkey"
            look="danger"
            size="sm"
            confirmed={confirmed}
            summary="Remove"
          />
        </li>
      ))}
    </ul>
  );
}

interface AddPasskeyFormProps {
  action: FormAction<PasskeyResult>;
  /** Whether the caller was confirmed a moment ago. */
  confirmed: boolean;
  suggestedName: string;
}

/** Sends its action twice: the first answer has the challenge, and the second has what the browser created with it. */
export function AddPasskeyForm({ action, confirmed, suggestedName }: AddPasskeyFormProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  const [name, setName] = useState(suggestedName);
  const [refused, setRefused] = useState<{ result: PasskeyResult; problem: string | null }>();
  const formRef = useRef<HTMLFormElement>(null);
  const { result, error, errors = {} } = state;
  const onInput = useDraft(formRef, "new passkey", state);

  useEffect(() => {
    if (result?.challenge === undefined) return;
    createPasskey(result.challenge).then(
      (fields) => formRef.current !== null && submitWith(formRef.current, fields),
      (reason: unknown) => setRefused({ result, problem: describeProblem(reason) }),
    );
  }, [result]);

  if (!usePasskeySupport()) return <p className="text-xs13 text-dim">This browser does not support passkeys.</p>;
  const problem = error ?? (refused !== undefined && refused.result === result ? refused.problem : undefined);
  return (
    <form ref={formRef} action={formAction} onInput={onInput} className="grid gap-4">
      {problem != null && <Notice tone="error">{problem}</Notice>}
      {result?.added !== undefined && (
        <div role="status">
          <Notice tone="note">“{result.added}” was added. You can sign in with it now.</Notice>
        </div>
      )}
      <TextField
        id="passkey-name"
        name="name"
        label="Name of the passkey"
        value={name}
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
        required
        maxLength={60}
        hint="So that you recognize it later."
        error={errors.name}
      />
      <ConfirmField confirmed={confirmed} />
      <div className="flex">
        <SubmitButton look="secondary">Add a passkey</SubmitButton>
      </div>
    </form>
  );
}
