"use client";

import { usePathname } from "next/navigation";
import { type RefObject, useContext, useEffect, useRef } from "react";
import { PageOwnerContext } from "@/components/shared/page-owner";

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
  const form = useDraftName(name);

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
      typedForms.delete(form);
      attempt(() => dropDraft(sessionStorage, form));
    } else if (typed.current !== null) fillIn(formRef.current, typed.current);
  }, [outcome, form, formRef]);

  return () => {
    const element = formRef.current;
    if (element === null) return;
    const draft = readDraft(element);
    typed.current = draft;
    typedForms.add(form);
    attempt(() => storeDraft(sessionStorage, form, draft));
  };
}

/** Returns the name of a draft: that of its account, its page and its form. */
export function useDraftName(name: string): string {
  return `${useContext(PageOwnerContext)} ${usePathname()} ${name}`;
}

/** Returns what removes the draft of a form that is left on purpose, such as that of a dialog. */
export function useDropDraft(name: string): () => void {
  const form = useDraftName(name);
  return () => {
    typedForms.delete(form);
    attempt(() => dropDraft(sessionStorage, form));
  };
}

/** The names of the forms that were typed into since the page was opened. A page that fails still has them. */
const typedForms = new Set<string>();

/** Forgets which forms were typed into: those of a page that was left. */
export function forgetTyped(): void {
  typedForms.clear();
}

/** Keeps what was typed into the forms of this page for the next time that it is opened. Returns how many forms. */
export function saveTyped(store: Store): number {
  return [...typedForms].filter((form) => endDraft(store, OPEN + form)).length;
}

/** On the sign-in page: keeps the drafts of a visitor whose session has ended, and removes them after a sign-out. */
export function EndDrafts({ areSaved }: { areSaved: boolean }) {
  useEffect(() => void attempt(() => endDrafts(sessionStorage, areSaved)), [areSaved]);
  return null;
}

/** Returns null where the browser denies storage. Forms then work without drafts. */
export function attempt<Result>(work: () => Result): Result | null {
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
      (field instanceof HTMLInputElement ||
        field instanceof HTMLTextAreaElement ||
        field instanceof HTMLSelectElement) &&
      !isPrivate(field),
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

/** Fills in a draft the way a visitor would, so that React sees the changes. Parts that hide a change are opened. */
function fillIn(form: HTMLFormElement | null, draft: Draft): void {
  for (const field of form === null ? [] : listFields(form)) {
    const texts = draft[field.name];
    if (texts === undefined || field.disabled) continue;
    if (isTick(field)) {
      if (field.checked !== texts.includes(field.value) && (field.type === "checkbox" || !field.checked)) {
        field.click();
        unfold(field);
      }
    } else if (field.value !== (texts[0] ?? "")) {
      // React overrides the setter of the element itself to know its own changes.
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set?.call(field, texts[0] ?? "");
      field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
      unfold(field);
    }
  }
}

function unfold(field: Field): void {
  for (let part = field.closest("details"); part !== null; part = part.parentElement?.closest("details") ?? null) {
    part.open = true;
  }
}

/**
 * What is typed into a form is stored in its tab until the form is sent, so that it survives signing in again after the
 * end of the session, and an update of the server. Passwords, one-time codes and hidden fields are not stored.
 */

/** The texts of each field. */
type Draft = Readonly<Record<string, readonly string[]>>;
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Drafts of open forms. */
const OPEN = "spotline-draft ";
/** Drafts of forms that a visit to the sign-in page or an update has ended. Only these are filled in again. */
const SAVED = "spotline-saved ";

/** What a browser may fill in that nobody else may read. */
const SECRETS: ReadonlySet<string> = new Set(["current-password", "new-password", "one-time-code"]);

/** Whether a field is left out of drafts. A password that is shown has the type of a text, so its purpose counts too. */
export function isPrivate({ type, autocomplete }: { readonly type: string; readonly autocomplete: string }): boolean {
  return ["password", "hidden", "submit", "file"].includes(type) || SECRETS.has(autocomplete);
}

/** Stores the draft of an open form. `form` names the account, the page and the form. */
export function storeDraft(store: Store, form: string, draft: Draft): void {
  store.setItem(OPEN + form, JSON.stringify(draft));
}

/** Stores a draft for the next visit of its page, where no visit to the sign-in page follows for certain. */
export function saveDraft(store: Store, form: string, draft: Draft): void {
  store.setItem(SAVED + form, JSON.stringify(draft));
}

/** Removes and returns the saved draft of a form; null without one. */
export function takeDraft(store: Store, form: string): Draft | null {
  const text = store.getItem(SAVED + form);
  dropDraft(store, form);
  return text === null ? null : (JSON.parse(text) as Draft);
}

/** Removes the drafts of a form. */
export function dropDraft(store: Store, form: string): void {
  store.removeItem(OPEN + form);
  store.removeItem(SAVED + form);
}

/** Keeps all drafts for the next sign-in, or removes them if the visitor has signed out. */
export function endDrafts(store: Store, isKept: boolean): void {
  const names = Array.from({ length: store.length }, (_, index) => store.key(index) ?? "");
  for (const name of names) {
    if (!name.startsWith(OPEN) && !name.startsWith(SAVED)) continue;
    if (!isKept) store.removeItem(name);
    else if (name.startsWith(OPEN)) endDraft(store, name);
  }
}

/** Makes the draft of an open form one that is filled in again. Returns whether there is one. */
function endDraft(store: Store, name: string): boolean {
  const text = store.getItem(name);
  if (text === null) return false;
  store.setItem(SAVED + name.slice(OPEN.length), text);
  store.removeItem(name);
  return true;
}
