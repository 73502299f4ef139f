"use client";

import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { getButtonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { AllowListField } from "@/features/keys/allow-list-field";
import { CreatedKey } from "@/features/keys/created-key";
import { ExpiryField } from "@/features/keys/expiry-field";
import { KeyPreview } from "@/features/keys/key-preview";
import { KindField } from "@/features/keys/kind-field";
import { ScopesField } from "@/features/keys/scopes-field";
import {
  type CheckAddresses,
  EMPTY_KEY,
  type EndpointLine,
  type KeyFormAction,
  type KeyFormValues,
  type KindTerms,
  type ScopeGuide,
} from "@/features/keys/types";

interface KeyFormProps {
  action: KeyFormAction;
  checkAddresses: CheckAddresses;
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  kinds: readonly KindTerms[];
  /** The visitor's own address, if the server knows it. */
  ownAddress: string | null;
  /** YYYY-MM-DD, UTC. */
  today: string;
  /** The key to edit. If omitted, the form creates a key. */
  edited?: EditedKey;
}

interface EditedKey {
  readonly id: string;
  readonly values: KeyFormValues;
  /** When it expires: "in 89 days". */
  readonly ends: string;
}

export function KeyForm({ action, checkAddresses, guides, unscoped, kinds, ownAddress, today, edited }: KeyFormProps) {
  const [state, formAction, pending] = useActionState(action, UNSENT);
  const { errors = {}, result } = state;
  const saved = result !== undefined && "saved" in result ? result.saved : undefined;
  const [values, setValues] = useState<KeyFormValues>(saved ?? state.values ?? edited?.values ?? EMPTY_KEY);
  const formRef = useRef<HTMLFormElement>(null);
  const set = (change: Partial<KeyFormValues>): void => setValues((before) => ({ ...before, ...change }));

  const [shownSaved, setShownSaved] = useState(saved);
  if (shownSaved !== saved) {
    setShownSaved(saved);
    // Saved values are shown as they are stored.
    if (saved !== undefined) setValues(saved);
  }

  useEffect(() => {
    if (saved !== undefined) announce("Saved");
    // After a refusal the first invalid field gets the focus.
    formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state, saved]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    // With scripts, the action is called here: React would otherwise empty the form after every attempt.
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    startTransition(() => formAction(form));
  }

  return (
    <>
      {result !== undefined && "created" in result && <CreatedKey {...result.created} />}
      <form
        ref={formRef}
        action={formAction}
        onSubmit={submit}
        noValidate
        className="grid max-w-5xl gap-x-12 gap-y-7 px-3 pt-2 pb-10 md:px-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="grid content-start gap-7">
          {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
          <TextField
            id="label"
            name="label"
            label="Label"
            hint="Where the key will be used, such as “Pricing sheet, London desk”."
            autoComplete="off"
            maxLength={80}
            required
            value={values.label}
            onChange={(event) => set({ label: event.target.value })}
            error={errors.label}
          />
          {edited === undefined ? (
            <KindField kinds={kinds} value={values.kind} onChange={(kind) => set({ kind })} />
          ) : (
            <input type="hidden" name="id" value={edited.id} />
          )}
          <ScopesField
            guides={guides}
            value={values.scopes}
            onChange={(scopes) => set({ scopes })}
            error={errors.scopes}
          />
          <ExpiryField currently={edited?.ends} values={values} today={today} onChange={set} error={errors.expiry} />
          <AllowListField
            value={values.addresses}
            onChange={(addresses) => set({ addresses })}
            ownAddress={ownAddress}
            check={checkAddresses}
            refused={state.problems ?? []}
            error={errors.addresses}
          />
          {errors.password !== undefined && (
            <div className="grid gap-3">
              <Notice tone="error">{errors.password}</Notice>
              <ConfirmField confirmed={false} />
            </div>
          )}
          {saved !== undefined && <Notice tone="note">Changes saved. They apply immediately.</Notice>}
          <div className="flex gap-2">
            <SubmitButton pending={pending}>{edited === undefined ? "Create key" : "Save changes"}</SubmitButton>
            <Link href="/keys" className={getButtonClass("quiet")}>
              Cancel
            </Link>
          </div>
        </div>
        <KeyPreview
          guides={guides}
          unscoped={unscoped}
          scopes={values.scopes}
          terms={kinds.find(({ kind }) => kind === values.kind)}
        />
      </form>
    </>
  );
}
