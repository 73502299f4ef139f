import type { EndpointLine, ScopeGuide } from "@/features/keys/key-form-state";
import { type Scope, SCOPES } from "@/lib/access/scopes";
import { endpoints } from "@/lib/api/registry";

const keyed = endpoints.filter(({ access }) => access === "key");

function linesWhere(opens: (scope: Scope | null) => boolean): EndpointLine[] {
  return keyed.filter(({ scope }) => opens(scope)).map(({ method, path, weight }) => ({ method, path, weight }));
}

/** What each scope opens, told by the endpoints themselves. */
export const scopeGuides: readonly ScopeGuide[] = SCOPES.map((name) => ({
  scope: name,
  endpoints: linesWhere((scope) => scope !== null && (name === "all" || scope === name)),
}));

/** What every valid key may call, whatever its scopes. */
export const unscopedEndpoints: readonly EndpointLine[] = linesWhere((scope) => scope === null);
