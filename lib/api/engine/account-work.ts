import { type AccessErrorCode, isAccessError } from "@/lib/access/access-error";
import type { Owner } from "@/lib/access/actor";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Call } from "@/lib/api/engine/call";
import { ApiError, type ErrorCode } from "@/lib/api/engine/errors";

/** What calls share that change something of an account: its alerts, webhooks and exports. */

/** Who calls: the account of the key. The audit log also names the key. */
export function toCaller(key: KeyEntry, call: Call): { by: Owner; reader: KeyEntry; keyId: string } {
  return { by: { kind: "owner", accountId: key.accountId, address: call.address() }, reader: key, keyId: key.id };
}

const CODES: Readonly<Partial<Record<AccessErrorCode, ErrorCode>>> = {
  alert_not_found: "ALERT_NOT_FOUND",
  webhook_not_found: "WEBHOOK_NOT_FOUND",
  too_many_alerts: "TOO_MANY_ALERTS",
  too_many_webhooks: "TOO_MANY_WEBHOOKS",
  too_many_exports: "TOO_MANY_EXPORTS",
  invalid_symbol: "SYMBOL_NOT_FOUND",
  invalid_source: "SOURCE_NOT_FOUND",
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
