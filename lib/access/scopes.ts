/**
 * The scopes of keys. Endpoints without a scope (spreads, sessions, calendar, …) are open to every valid key. "all" is
 * all data. It does not include "alerts", which changes the account and sends requests in its name, so that no key gets
 * more than its owner chose.
 */
export const SCOPES = ["quotes", "indicators", "historical", "premium", "all", "alerts"] as const;
export type Scope = (typeof SCOPES)[number];

/** The paths that each scope allows. "all" allows every path but those of "alerts". */
export const SCOPE_ENDPOINTS: Readonly<Record<Exclude<Scope, "all">, readonly string[]>> = {
  quotes: ["/v1/quote", "/v1/quotes", "/v1/symbols", "/v1/symbols/{symbol}", "/v1/stream"],
  indicators: ["/v1/indicator", "/v1/indicators", "/v1/indicators/list", "/v1/screener"],
  historical: ["/v1/ohlc", "/v1/ticks", "/v1/export", "/v1/indicator/history"],
  premium: ["/v1/summary", "/v1/multi", "/v1/heatmap"],
  alerts: ["/v1/alerts", "/v1/alerts/{alert}", "/v1/webhooks", "/v1/webhooks/{webhook}"],
};

/** The paths that every valid key may call, whatever its scopes. */
const UNSCOPED_PATHS = [
  "/v1/spread",
  "/v1/spread/compare",
  "/v1/quality",
  "/v1/quality/day",
  "/v1/sessions",
  "/v1/calendar",
  "/v1/calendar.ics",
  "/v1/calendar/subscription",
  "/v1/calendar/window",
  "/v1/monitor/account",
  "/v1/monitor/layout",
] as const;

/** All paths that need a key. A key can be restricted to some of them. */
export const KEY_PATHS: readonly string[] = [...Object.values(SCOPE_ENDPOINTS).flat(), ...UNSCOPED_PATHS];

const SCOPE_BY_PATH: ReadonlyMap<string, Scope> = new Map(
  SCOPES.flatMap((scope) => (scope === "all" ? [] : SCOPE_ENDPOINTS[scope].map((path) => [path, scope] as const))),
);

/** The scope that a call of this path template needs, or null for none. */
export function findScope(path: string): Scope | null {
  return SCOPE_BY_PATH.get(path) ?? null;
}

/** Whether a key with `scopes` may call an endpoint that needs `required`. */
export function hasScope(scopes: ReadonlySet<Scope>, required: Scope | null): boolean {
  return required === null || (required !== "alerts" && scopes.has("all")) || scopes.has(required);
}

export function isScope(word: string): word is Scope {
  return SCOPES.some((scope) => scope === word);
}
