"use client";

import { usePathname } from "next/navigation";
import { type RefObject, useContext, useEffect, useRef } from "react";
import { DraftOwnerContext } from "@/features/forms/draft-owner";
import { type Draft, dropDraft, endDrafts, storeDraft, takeDraft } from "@/features/forms/drafts";

/**
 * Stores what is typed into a form until it is accepted, and fills it in again after a refusal, when React has reset the
 * form, and after the visitor had to sign in again. Returns the form's `onInput`. `name` is unique on the page; `outcome`
 * is that of the last submission.
 */
export function useDraft(
  formRef: RefObject<HTMLFormElement | null>,
  name: string,
  outcome: { readonly done: boolean },
) {
  const typed = useRef<Draft | null>(null);
  const form = `${useContext(DraftOwnerContext)} ${usePathname()} ${name}`;

  useEffect(() => {
    const draft = attempt(() => takeDraft(sessionStorage, form));
    if (draft === null) return;
    // After the first pass, fields appear that depend on others.
    const frames = [0, 0];
    frames[0] = requestAnimationFrame(() => {
      fillIn(formRef.current, draft);
      frames[1] = requestAnimationFrame(() => fillIn(formRef.current, draft));
    });
    return () => frames.forEach(cancelAnimationFrame);
  }, [form, formRef]);

  useEffect(() => {
    if (outcome.done) {
      typed.current = null;
      attempt(() => dropDraft(sessionStorage, form));
    } else if (typed.current !== null) fillIn(formRef.current, typed.current);
  }, [outcome, form, formRef]);

  return () => {
    const element = formRef.current;
    if (element === null) return;
    const draft = readDraft(element);
    typed.current = draft;
    attempt(() => storeDraft(sessionStorage, form, draft));
  };
}

/** On the sign-in page: keeps the drafts of a visitor whose session has ended, and removes them after a sign-out. */
export function EndDrafts({ areSaved }: { areSaved: boolean }) {
  useEffect(() => void attempt(() => endDrafts(sessionStorage, areSaved)), [areSaved]);
  return null;
}

/** Returns null where the browser denies storage. Forms then work without drafts. */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function listFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (field): field is Field =>
      (field instanceof HTMLInputElement && !["password", "hidden", "submit", "file"].includes(field.type)) ||
      field instanceof HTMLTextAreaElement ||
      field instanceof HTMLSelectElement,
  );
}

const isTick = (field: Field): field is HTMLInputElement => field.type === "checkbox" || field.type === "radio";

function readDraft(form: HTMLFormElement): Draft {
  const draft: Record<string, string[]> = {};
  for (const field of listFields(form)) {
    if (field.name === "" || field.disabled || field.hidden) continue;
    const texts = (draft[field.name] ??= []);
    if (!isTick(field) || field.checked) texts.push(field.value);
  }
  return draft;
}

/** Fills in a draft the way a visitor would, so that React sees the changes. */
function fillIn(form: HTMLFormElement | null, draft: Draft): void {
  for (const field of form === null ? [] : listFields(form)) {
    const texts = draft[field.name];
    if (texts === undefined || field.disabled) continue;
    if (isTick(field)) {
      if (field.checked !== texts.includes(field.value) && (field.type === "checkbox" || !field.checked)) field.click();
    } else if (field.value !== (texts[0] ?? "")) {
      // React overrides the setter of the element itself to know its own changes.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, texts[0] ?? "");
      field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
    }
  }
}
