import type { Key } from "@/lib/access/keys/key";

/** The view in the address of the list of keys. */
export interface KeyListView {
  readonly text: string;
  readonly sort: KeySort;
}

const KEY_SORTS = ["created", "label", "used", "expires", "calls"] as const;
export type KeySort = (typeof KEY_SORTS)[number];

type Params = Readonly<Record<string, string | string[] | undefined>>;

const MAX_TEXT_LENGTH = 100;

/** Reads an address. Invalid values are ignored. */
export function readKeyListView({ text, sort }: Params): KeyListView {
  return {
    text: typeof text === "string" ? text.trim().slice(0, MAX_TEXT_LENGTH) : "",
    sort: KEY_SORTS.find((each) => each === sort) ?? "created",
  };
}

/** The address of a view, without its defaults. */
export function toKeyListHref({ text, sort }: KeyListView): string {
  const params = new URLSearchParams();
  if (text !== "") params.set("text", text);
  if (sort !== "created") params.set("sort", sort);
  return params.size === 0 ? "/keys" : `/keys?${params}`;
}

/** Selects keys by a part of their label, scopes, addresses or visible characters. `text` may be in any case. */
export function findKeys(keys: readonly Key[], text: string): readonly Key[] {
  const sought = text.toLowerCase();
  if (sought === "") return keys;
  return keys.filter(({ label, start, last4, scopes, allowedCidrs, kind }) =>
    [label, `${start}…${last4}`, last4, kind, ...scopes, ...allowedCidrs].some((part) =>
      part.toLowerCase().includes(sought),
    ),
  );
}

/** Sorts keys: by label, or with the newest, the last used, the first to end or the busiest one first. */
export function sortKeys(keys: readonly Key[], sort: KeySort, countCalls: (key: Key) => number): readonly Key[] {
  const rank: Readonly<Record<KeySort, (a: Key, b: Key) => number>> = {
    created: (a, b) => b.createdAtMs - a.createdAtMs,
    label: (a, b) => a.label.localeCompare(b.label, "en"),
    used: (a, b) => (b.lastUsedAtMs ?? 0) - (a.lastUsedAtMs ?? 0),
    expires: (a, b) => (a.expiresAtMs ?? Infinity) - (b.expiresAtMs ?? Infinity) || b.createdAtMs - a.createdAtMs,
    calls: (a, b) => countCalls(b) - countCalls(a),
  };
  return keys.toSorted(rank[sort]);
}
