import { expect, test } from "vitest";
import { dropDraft, endDrafts, isPrivate, saveDraft, storeDraft, takeDraft } from "@/features/forms/use-draft";

function createStore() {
  const entries = new Map<string, string>();
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, text: string) => void entries.set(name, text),
    removeItem: (name: string) => void entries.delete(name),
    key: (index: number) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
  };
}

const DRAFT = { label: ["Pricing sheet"], scopes: ["quotes", "historical"] };

test("A draft is filled in once after a visit to the sign-in page", () => {
  const store = createStore();
  store.setItem("theme", "dark");
  storeDraft(store, "ann /keys/new", DRAFT);
  endDrafts(store, true);
  endDrafts(store, true);
  expect(takeDraft(store, "ben /keys/new")).toBeNull();
  expect(takeDraft(store, "ann /keys/new")).toEqual(DRAFT);
  expect(takeDraft(store, "ann /keys/new")).toBeNull();
  expect(store.length).toBe(1);
});

test("A form that was left without signing in again starts empty", () => {
  const store = createStore();
  storeDraft(store, "ann /keys/new", DRAFT);
  expect(takeDraft(store, "ann /keys/new")).toBeNull();
  expect(store.length).toBe(0);
});

test("A saved draft waits for the next visit, unless its owner signs out", () => {
  const store = createStore();
  saveDraft(store, "ann /quotes lists", DRAFT);
  expect(takeDraft(store, "ann /quotes lists")).toEqual(DRAFT);
  saveDraft(store, "ann /quotes lists", DRAFT);
  endDrafts(store, false);
  expect(store.length).toBe(0);
});

test("Passwords and one-time codes are private, also while they are shown as text", () => {
  const fields = [
    ["password", "current-password"],
    ["text", "current-password"],
    ["text", "new-password"],
    ["text", "one-time-code"],
    ["hidden", ""],
  ] as const;
  for (const [type, autocomplete] of fields)
    expect(isPrivate({ type, autocomplete }), `${type} ${autocomplete}`).toBe(true);
  expect(isPrivate({ type: "text", autocomplete: "off" })).toBe(false);
  expect(isPrivate({ type: "email", autocomplete: "" })).toBe(false);
});

test("Signing out and sending the form remove the draft", () => {
  const store = createStore();
  storeDraft(store, "ann /keys/new", DRAFT);
  endDrafts(store, false);
  expect(store.length).toBe(0);
  storeDraft(store, "ann /keys/new", DRAFT);
  dropDraft(store, "ann /keys/new");
  expect(store.length).toBe(0);
});
