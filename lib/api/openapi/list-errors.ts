import type { Endpoint } from "@/lib/api/engine/endpoint";
import { type ErrorCode, getStatus } from "@/lib/api/engine/errors";

const ALWAYS: readonly ErrorCode[] = ["VALIDATION_ERROR", "URI_TOO_LONG", "INTERNAL_ERROR"];
const WITH_KEY: readonly ErrorCode[] = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "API_KEY_DISABLED",
  "API_KEY_EXPIRED",
  "ACCOUNT_SUSPENDED",
  "IP_NOT_ALLOWED",
  "ORIGIN_NOT_ALLOWED",
  "PERMISSION_DENIED",
  "RATE_LIMIT_EXCEEDED",
  "QUOTA_EXCEEDED",
  "SERVICE_UNAVAILABLE",
];
const WITH_BODY: readonly ErrorCode[] = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/**
 * Lists the errors of an endpoint by status: those of its key, its plan, its body and its parameters, and its own.
 * Calls of another path or method have errors that belong to no endpoint.
 *
 * @param ofParameters the codes with which its parameters are refused
 */
export function listErrors(endpoint: Endpoint, ofParameters: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...ALWAYS,
    ...(endpoint.access === "key" ? WITH_KEY : []),
    ...(endpoint.entitlement === null ? [] : (["PLAN_UPGRADE_REQUIRED"] as const)),
    ...(endpoint.body === null ? [] : WITH_BODY),
    ...ofParameters,
    ...(endpoint.errors ?? []),
    ...(endpoint.errors?.includes("SYMBOL_NOT_FOUND") ? (["INVALID_SYMBOL"] as const) : []),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of [...codes].sort((one, other) => getStatus(one) - getStatus(other))) {
    byStatus.set(getStatus(code), [...(byStatus.get(getStatus(code)) ?? []), code]);
  }
  return byStatus;
}
