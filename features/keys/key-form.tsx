"use client";

import Link from "next/link";
import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { buttonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { ConfirmField } from "@/features/forms/confirm-field";
import { AllowListField } from "@/features/keys/allow-list-field";
import { CreatedKey } from "@/features/keys/created-key";
import { ExpiryField } from "@/features/keys/expiry-field";
import type {
  CheckAddresses,
  EndpointLine,
  KeyFormState,
  KeyFormValues,
  ScopeGuide,
} from "@/features/keys/key-form-state";
import { EMPTY_KEY } from "@/features/keys/key-form-state";
import { KeyPreview } from "@/features/keys/key-preview";
import { KindField, type KindTerms } from "@/features/keys/kind-field";
import { ScopesField } from "@/features/keys/scopes-field";

interface KeyFormProps {
  action: (state: KeyFormState, form: FormData) => Promise<KeyFormState>;
  checkAddresses: CheckAddresses;
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  kinds: readonly KindTerms[];
  /** The visitor's own address, where the server can vouch for it. */
  ownAddress: string | null;
  /** YYYY-MM-DD, UTC. */
  today: string;
  /** The key that is edited; left out, a new one is made. */
  edited?: EditedKey;
}

interface EditedKey {
  readonly id: string;
  readonly values: KeyFormValues;
  /** When it expires, in words. */
  readonly ends: string;
}

const start: Extract<KeyFormState, { step: "editing" }> = {
  step: "editing",
  values: EMPTY_KEY,
  errors: {},
  addressProblems: [],
};

export function KeyForm({ action, checkAddresses, guides, unscoped, kinds, ownAddress, today, edited }: KeyFormProps) {
  const [state, formAction, pending] = useActionState<KeyFormState, FormData>(
    action,
    edited === undefined ? start : { ...start, values: edited.values },
  );
  const editing = state.step === "editing" ? state : start;
  const [values, setValues] = useState<KeyFormValues>(editing.values);
  const formRef = useRef<HTMLFormElement>(null);
  const set = (change: Partial<KeyFormValues>): void => setValues((before) => ({ ...before, ...change }));

  const [known, setKnown] = useState(state);
  if (known !== state) {
    setKnown(state);
    // What was saved is shown as it is stored.
    if (state.step === "editing" && state.saved === true) setValues(state.values);
  }

  useEffect(() => {
    if (state.step === "editing" && state.saved === true) announce("Saved");
    // After a refusal the keyboard should be where the problem is.
    formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    // Once scripts run, the action is called from here: React would otherwise empty the form after every attempt.
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    startTransition(() => formAction(form));
  }

  const { errors } = editing;
  return (
    <>
      {state.step === "created" && <CreatedKey label={state.label} secret={state.secret} origin={state.origin} />}
      <form
        ref={formRef}
        action={formAction}
        onSubmit={submit}
        noValidate
        className="grid max-w-5xl gap-x-12 gap-y-7 px-3 pt-2 pb-10 md:px-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="grid content-start gap-7">
          {errors.form !== undefined && <Notice tone="error">{errors.form}</Notice>}
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
          <ExpiryField kept={edited?.ends} values={values} today={today} onChange={set} error={errors.expiry} />
          <AllowListField
            value={values.addresses}
            onChange={(addresses) => set({ addresses })}
            ownAddress={ownAddress}
            check={checkAddresses}
            refused={editing.addressProblems}
            error={errors.addresses}
          />
          {errors.password !== undefined && (
            <div className="grid gap-3">
              <Notice tone="error">{errors.password}</Notice>
              <ConfirmField confirmed={false} />
            </div>
          )}
          {editing.saved === true && <Notice tone="note">Saved. The key works as shown here from now on.</Notice>}
          <div className="flex gap-2">
            <SubmitButton pending={pending}>{edited === undefined ? "Create key" : "Save changes"}</SubmitButton>
            <Link href="/keys" className={buttonClass("quiet")}>
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
