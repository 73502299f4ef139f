import type { EndpointLine, KindTerms, ScopeGuide } from "@/features/keys/types";
import type { Account } from "@/lib/access/accounts/account";
import { formatLimit, formatPlan, getEntitlements, KEY_KINDS } from "@/lib/access/plans";
import { hasScope, type Scope, SCOPES } from "@/lib/access/scopes";
import type { Runtime } from "@/lib/runtime";

/** Reads the terms of each kind of key on an account. */
export function readKindTerms({
  plan,
  perMinuteLimit,
  perDayLimit,
}: Pick<Account, "plan" | "perMinuteLimit" | "perDayLimit">): KindTerms[] {
  return KEY_KINDS.map((kind) => {
    const terms = getEntitlements(plan, kind);
    return {
      kind,
      title: kind === "standard" ? "Standard" : "Tool",
      text:
        kind === "standard"
          ? `For your own programs. The terms of your ${formatPlan(plan)} plan apply.`
          : "For agents, spreadsheets and bots. Tool keys have their own terms: the calendar without released figures.",
      perMinute: formatLimit(perMinuteLimit ?? terms.perMinute),
      perDay: formatLimit(perDayLimit ?? terms.perDay),
      entitlements: terms,
    };
  });
}

/** The endpoints that each scope opens, those that every valid key may call, and the paths that a key can be limited to. */
export function readScopeGuides({ keyedEndpoints, keyPaths }: Pick<Runtime, "keyedEndpoints" | "keyPaths">) {
  const listLines = (opens: (scope: Scope | null) => boolean): readonly EndpointLine[] =>
    keyedEndpoints
      .filter(({ scope }) => opens(scope))
      .map(({ method, path, weight, entitlement, needsEntitlement }) => {
        return { method, path, weight, entitlement, isConditional: needsEntitlement !== undefined };
      });
  const guides = SCOPES.map((name): ScopeGuide => ({
    scope: name,
    endpoints: listLines((scope) => scope !== null && hasScope(new Set([name]), scope)),
  }));
  return { guides, keyPaths, unscoped: listLines((scope) => scope === null) };
}
