import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { findCheapestPlanWith } from "@/lib/access/plans";
import { type Alert, type AlertCaller, checkCondition, findEntitlement, findSymbol } from "@/lib/alerts/alerts";
import type { Condition } from "@/lib/alerts/conditions";
import type { Call } from "@/lib/api/engine/call";
import { ApiError, type ErrorCode } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import { findPublicUrl } from "@/lib/api/public-url";

/** Who calls: the account of the key. The audit log also names the key. */
export function toCaller(key: KeyEntry, call: Call): AlertCaller {
  return { by: { kind: "owner", accountId: key.accountId, address: call.address() }, reader: key, keyId: key.id };
}

/** Whether a key may read an alert: a key that is limited to some symbols sees no alerts on others. */
export function maySee({ symbols }: Pick<KeyEntry, "symbols">, { condition }: Pick<Alert, "condition">): boolean {
  const symbol = findSymbol(condition);
  return symbols === null || symbol === null || symbols.has(symbol);
}

/** Throws 403 unless the key may read the symbol of a condition, and its plan has the data. */
export function requireCondition(key: KeyEntry, condition: Condition, call: Call, services: Services): void {
  const symbol = findSymbol(refuseAsApi(() => checkCondition(condition)));
  if (symbol !== null) requireSymbol(key, symbol);
  const entitlement = findEntitlement(condition.type);
  if (entitlement === null || key.entitlements[entitlement]) return;
  const { name } = key.entitlements;
  const needed = `a standard key of the plan "${findCheapestPlanWith(entitlement)}" or a higher one`;
  throw new ApiError("PLAN_UPGRADE_REQUIRED", `The condition "${condition.type}" needs ${needed}.`, {
    current_plan: name,
    upgrade_url: `${findPublicUrl(call, services)}/plan`,
  });
}

const CODES: Readonly<Partial<Record<AccessErrorCode, ErrorCode>>> = {
  alert_not_found: "ALERT_NOT_FOUND",
  webhook_not_found: "WEBHOOK_NOT_FOUND",
  too_many_alerts: "TOO_MANY_ALERTS",
  too_many_webhooks: "TOO_MANY_WEBHOOKS",
  invalid_symbol: "SYMBOL_NOT_FOUND",
  plan_needed: "PLAN_UPGRADE_REQUIRED",
  too_many_changes: "RATE_LIMIT_EXCEEDED",
};

/** Runs work whose AccessErrors become answers of the API. */
export function refuseAsApi<Result>(work: () => Result): Result {
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => throwAsApi(error)) as Result;
  } catch (error) {
    return throwAsApi(error);
  }
}

function throwAsApi(error: unknown): never {
  if (!isAccessError(error)) throw error;
  throw new ApiError(CODES[error.code] ?? "VALIDATION_ERROR", error.message);
}
