import type { EndpointLine, ScopeGuide } from "@/features/keys/types";
import { type Entitlements, getOpenness } from "@/lib/access/plans";
import type { Scope } from "@/lib/access/scopes";

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
