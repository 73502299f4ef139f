"use client";

import { LockKeyhole } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { getButtonClass } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { ChannelFields } from "@/features/alerts/components/channel-fields";
import { EventFields } from "@/features/alerts/components/event-fields";
import type { FormSetup } from "@/features/alerts/components/form-setup";
import { KindField } from "@/features/alerts/components/kind-field";
import { SymbolFields } from "@/features/alerts/components/symbol-fields";
import type { AlertFormValues, WebhookLine } from "@/features/alerts/types";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";

interface AlertFormProps extends FormSetup {
  webhooks: readonly WebhookLine[];
}

/** The form that creates or edits an alert. */
export function AlertForm({ action, values: first, editedId, webhooks, ...setup }: AlertFormProps) {
  const [state, formAction, pending] = useActionState(action, UNSENT);
  const { errors, onChange } = useFieldErrors(state.errors);
  const [values, setValues] = useState<AlertFormValues>(state.values ?? first);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, editedId ?? "new alert", state);
  const router = useRouter();
  const change = (changed: Partial<AlertFormValues>): void => setValues((before) => ({ ...before, ...changed }));
  const savedId = state.result?.id;
  const { kind, symbol } = values;

  const [shownId, setShownId] = useState(savedId);
  if (shownId !== savedId) {
    setShownId(savedId);
    // The next alert is another one.
    if (savedId !== undefined) change({ level: "", name: "" });
  }

  useEffect(() => {
    if (!state.done || savedId === undefined) {
      // After a refusal the first invalid field gets the focus.
      formRef.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    announce(editedId === null ? "Alert created" : "Alert saved");
    router.push(`/alerts?alert=${savedId}&symbol=${symbol}`, { scroll: false });
    // Only after an answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [state]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    // React empties a form after its action; called from here, the action leaves the values in place.
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    startTransition(() => formAction(form));
  }

  const plans = setup.locked[kind];
  const fields = { values, onChange: change, errors };
  const isOfEvents = kind === "release" || kind === "upcoming";
  return (
    <form
      ref={formRef}
      action={formAction}
      onSubmit={submit}
      onChange={onChange}
      onInput={onInput}
      noValidate
      className="grid gap-4 px-4 pt-3.5 pb-6"
    >
      <h2 id="alert-form-title" className="font-medium">
        {editedId === null ? "New alert" : "Edit alert"}
      </h2>
      {editedId !== null && <input type="hidden" name="id" value={editedId} />}
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <noscript>{state.done && <Notice tone="note">Saved. It is in the list.</Notice>}</noscript>
      <KindField {...fields} locked={setup.locked} />
      {plans !== undefined && <LockedKind plans={plans} />}
      {isOfEvents ? <EventFields {...fields} /> : <SymbolFields {...fields} {...setup} />}
      <ChannelFields {...fields} {...setup} webhooks={webhooks} />
      <TextField
        id="alert-name"
        name="name"
        label="Name"
        hint="Without one, the alert is named by its condition."
        autoComplete="off"
        maxLength={100}
        value={values.name}
        onChange={({ target }) => change({ name: target.value })}
        error={errors.name}
      />
      <div className="flex gap-2">
        <SubmitButton pending={pending}>{editedId === null ? "Create alert" : "Save alert"}</SubmitButton>
        <Link href="/alerts" className={`${getButtonClass("quiet")} ${editedId === null ? "wide:hidden" : ""}`}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

function LockedKind({ plans }: { plans: string }) {
  return (
    <p className="flex gap-2 rounded-md border border-dashed border-edge p-3 text-xs13 text-dim">
      <LockKeyhole aria-hidden size={15} className="mt-0.5 flex-none text-faint" />
      <span>
        Your plan does not include the data of this alert. It is included in {plans}.{" "}
        <Link href="/plan" className="text-accent-ink underline underline-offset-4">
          Compare plans
        </Link>
      </span>
    </p>
  );
}
