/**
 * What is typed into a form is stored in its tab until the form is sent, so that it survives signing in again after the
 * end of the session. Passwords, one-time codes and hidden fields are not stored.
 */

/** The texts of each field. */
export type Draft = Readonly<Record<string, readonly string[]>>;
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Drafts of open forms. */
const OPEN = "spotline-draft ";
/** Drafts of forms that a visit to the sign-in page has ended. Only these are filled in again. */
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
    const text = store.getItem(name);
    if (!isKept) store.removeItem(name);
    else if (name.startsWith(OPEN)) {
      store.setItem(SAVED + name.slice(OPEN.length), text ?? "{}");
      store.removeItem(name);
    }
  }
}
