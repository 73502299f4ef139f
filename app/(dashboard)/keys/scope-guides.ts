import type { EndpointLine, ScopeGuide } from "@/components/keys/key-form-state";
import { endpoints } from "@/lib/api/registry";
import { SCOPES } from "@/lib/access/scopes";

function lines(opens: (access: string) => boolean): EndpointLine[] {
  return endpoints.filter(({ access }) => opens(access)).map(({ method, path, weight }) => ({ method, path, weight }));
}

/** What each scope opens, told by the endpoints themselves. */
export const scopeGuides: readonly ScopeGuide[] = SCOPES.map((scope) => ({
  scope,
  endpoints: lines((access) => access === scope || (scope === "all" && access !== "open" && access !== "key")),
}));

/** What every valid key may call, whatever its scopes. */
export const unscopedEndpoints: readonly EndpointLine[] = lines((access) => access === "key");
