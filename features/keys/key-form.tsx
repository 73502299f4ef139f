"use client";

import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";
import { CreatedKey } from "@/features/keys/created-key";
import { KeyFields, type KeyFieldsSetup } from "@/features/keys/fields/key-fields";
import { KeyPreview } from "@/features/keys/key-preview";
import { getEmptyKey } from "@/features/keys/lifetime";
import { type EndpointLine, type KeyFormAction, type KeyFormValues } from "@/features/keys/types";

interface KeyFormProps extends KeyFieldsSetup {
  action: KeyFormAction;
  unscoped: readonly EndpointLine[];
  /** Whether the password was confirmed a moment ago. A new key needs it; an edited one only if it can do more. */
  confirmed: boolean;
}

/** The form that creates or edits a key. */
export function KeyForm({ action, unscoped, confirmed, ...setup }: KeyFormProps) {
  const { guides, kinds, edited, lifetime } = setup;
  const [state, formAction, pending] = useActionState(action, UNSENT);
  const { result } = state;
  const { errors, onChange } = useFieldErrors(state.errors);
  const confirmation = state.errors?.password;
  const saved = result !== undefined && "saved" in result ? result.saved : undefined;
  const [values, setValues] = useState<KeyFormValues>(saved ?? state.values ?? edited?.values ?? getEmptyKey(lifetime));
  const terms = kinds.find(({ kind }) => kind === values.kind);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, edited?.id ?? "new key", state);
  const change = (changed: Partial<KeyFormValues>): void => setValues((before) => ({ ...before, ...changed }));

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
    // React empties a form after its action; called from here, the action leaves the values in place.
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
        onChange={onChange}
        onInput={onInput}
        noValidate
        className="grid max-w-5xl gap-x-12 gap-y-7 px-3 pt-2 pb-10 md:px-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
      >
        <div className="grid content-start gap-7">
          {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
          <KeyFields
            {...setup}
            values={values}
            onChange={change}
            errors={errors}
            problems={errors.addresses === undefined ? [] : (state.problems ?? [])}
          />
          {(confirmation !== undefined || (edited === undefined && !confirmed)) && (
            <div className="grid gap-3">
              {confirmation !== undefined && <Notice tone="error">{confirmation}</Notice>}
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
        {terms !== undefined && <KeyPreview guides={guides} unscoped={unscoped} values={values} terms={terms} />}
      </form>
    </>
  );
}
