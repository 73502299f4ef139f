"use client";

import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { getButtonClass } from "@/components/ui/button";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { type Column, Table } from "@/components/ui/table";
import { UNSENT } from "@/features/forms/action-state";
import { ConfirmField } from "@/features/forms/confirm-field";
import { useDraft } from "@/features/forms/use-draft";
import { useFieldErrors } from "@/features/forms/use-field-errors";
import { CreatedKey } from "@/features/keys/created-key";
import { KeyFields, type KeyFieldsSetup } from "@/features/keys/key-fields";
import {
  type EndpointLine,
  getEmptyKey,
  type KeyFormAction,
  type KeyFormValues,
  type KindTerms,
  type ScopeGuide,
} from "@/features/keys/types";
import { type Entitlements, formatPlansWith, getOpenness } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";

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
        className="grid gap-x-12 gap-y-7 border-t border-line px-4 pt-4 pb-8 max-md:px-3 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] 2xl:grid-cols-[minmax(0,2fr)_minmax(26rem,1fr)]"
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

interface KeyPreviewProps {
  guides: readonly ScopeGuide[];
  unscoped: readonly EndpointLine[];
  values: KeyFormValues;
  terms: KindTerms;
}

const COLUMNS: readonly Column<EndpointLine>[] = [
  {
    heading: "Endpoint",
    headingClassName: "text-xs13!",
    isFigure: true,
    cellClassName: "text-xs12",
    cell: ({ method, path }) => (
      <>
        <span className="inline-block w-14 text-faint">{method}</span>
        {path}
      </>
    ),
  },
  {
    heading: "Credits",
    isNumeric: true,
    headingClassName: "text-xs13!",
    isFigure: true,
    cellClassName: "text-xs12",
    cell: ({ weight }) => weight,
  },
];

/** The endpoints that the key can call, those that its plan refuses, and its limits. */
function KeyPreview({ guides, unscoped, values, terms }: KeyPreviewProps) {
  const { open, partly, refused } = listKeyEndpoints({ guides, unscoped }, values, terms.entitlements);
  const symbols = [...values.categories, values.symbols.trim()].filter(Boolean).join(", ");
  return (
    <aside aria-labelledby="preview-title" className="content-start lg:sticky lg:top-6 lg:self-start">
      <h2 id="preview-title" className="font-medium">
        This key can call
      </h2>
      <Table
        caption="Endpoints that this key can call"
        columns={COLUMNS}
        rows={[...open, ...partly]}
        getKey={({ method, path }) => method + path}
        look="text"
        hasRowHeadings={false}
        className="mt-2 w-full"
        cellClassName="border-b border-line py-1.5"
      />
      <Refused title="Refused in part" lines={partly} kind={terms.kind} />
      <Refused
        title={terms.kind === "tool" ? "Refused to tool keys" : "Refused by your plan"}
        lines={refused}
        kind={terms.kind}
      />
      {partly.length + refused.length > 0 && (
        <Link href="/plan" className="mt-1.5 inline-block text-xs12 text-accent-ink underline underline-offset-4">
          Compare plans
        </Link>
      )}
      <dl className="mt-4 grid grid-cols-2 gap-y-1 text-xs13">
        <dt className="text-dim">Calls a minute</dt>
        <Figure as="dd" className="text-right">
          {values.perMinute.trim() || terms.perMinute}
        </Figure>
        {values.perDay.trim() !== "" && (
          <>
            <dt className="text-dim">Calls a day, this key</dt>
            <Figure as="dd" className="text-right">
              {values.perDay}
            </Figure>
          </>
        )}
        <dt className="text-dim">Calls a day, all keys</dt>
        <Figure as="dd" className="text-right">
          {terms.perDay}
        </Figure>
        <dt className="text-dim">Symbols</dt>
        <dd className="text-right [overflow-wrap:anywhere]">{symbols || "all"}</dd>
      </dl>
    </aside>
  );
}

interface RefusedProps {
  title: string;
  lines: readonly EndpointLine[];
  kind: KindTerms["kind"];
}

/** Endpoints that the plan refuses, and the plans that include them. */
function Refused({ title, lines, kind }: RefusedProps) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title} className="mt-4 text-xs13">
      <h3 className="text-dim">{title}</h3>
      <ul className="mt-1 grid gap-1.5">
        {lines.map(({ method, path, entitlement, isConditional }) => (
          <li key={method + path}>
            <Figure className="text-xs12 text-dim">
              {method} {path}
            </Figure>
            {entitlement !== null && (
              <span className="block text-xs12 text-faint">
                {isConditional ? "Every call" : "Included"} in {formatPlansWith(entitlement)}
                {kind === "tool" && ", for standard keys"}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface KeyEndpoints {
  readonly open: readonly EndpointLine[];
  /** Endpoints of the scopes that refuse some calls or all, because the plan does not include them. */
  readonly partly: readonly EndpointLine[];
  readonly refused: readonly EndpointLine[];
}

/** Lists the endpoints that a key with these settings and terms can call, and those that its plan refuses. */
export function listKeyEndpoints(
  { guides, unscoped }: { readonly guides: readonly ScopeGuide[]; readonly unscoped: readonly EndpointLine[] },
  { scopes, endpoints }: { readonly scopes: readonly Scope[]; readonly endpoints: readonly string[] },
  terms: Entitlements,
): KeyEndpoints {
  const scoped = guides.flatMap(({ scope, endpoints }) => (scopes.includes(scope) ? endpoints : []));
  const allowed = [...scoped, ...unscoped].filter(({ path }) => endpoints.length === 0 || endpoints.includes(path));
  const lines = [...new Map(allowed.map((line) => [`${line.method} ${line.path}`, line])).values()];
  const pick = (openness: ReturnType<typeof getOpenness>) =>
    lines.filter((line) => getOpenness(line, terms) === openness);
  return { open: pick("yes"), partly: pick("partly"), refused: pick("no") };
}
