/**
 * The scopes of keys. Endpoints without a scope (spreads, sessions, calendar, …) are open to every valid key. "all" is
 * all data. It does not include "alerts", which changes the account and sends requests in its name, so that no key gets
 * more than its owner chose.
 */
export const SCOPES = ["quotes", "indicators", "historical", "premium", "all", "alerts"] as const;
export type Scope = (typeof SCOPES)[number];

/** Whether a key with `scopes` may call an endpoint that needs `required`. */
export function hasScope(scopes: ReadonlySet<Scope>, required: Scope | null): boolean {
  return required === null || (required !== "alerts" && scopes.has("all")) || scopes.has(required);
}

export function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word);
}
