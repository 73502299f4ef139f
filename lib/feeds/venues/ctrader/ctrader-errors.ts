import { VenueError } from "@/lib/feeds/live/connector";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** Only other credentials can change these. */
const FINAL_CODES: readonly string[] = [
  "CH_CLIENT_AUTH_FAILURE",
  "CH_OA_CLIENT_NOT_FOUND",
  "CH_CTID_TRADER_ACCOUNT_NOT_FOUND",
  "RET_NO_SUCH_LOGIN",
  "RET_ACCOUNT_DISABLED",
];
/** The access token is over; the refresh token may still be valid. */
export const TOKEN_CODES: readonly string[] = ["OA_AUTH_TOKEN_EXPIRED", "CH_ACCESS_TOKEN_INVALID"];
/** These say nothing about the tokens. */
const PASSING_CODES: readonly string[] = [
  "REQUEST_FREQUENCY_EXCEEDED",
  "BLOCKED_PAYLOAD_TYPE",
  "SERVER_IS_UNDER_MAINTENANCE",
  "CH_SERVER_NOT_REACHABLE",
  "CONNECTIONS_LIMIT_EXCEEDED",
];

const MAX_PAUSE_MS = HOUR_MS;
/** Later than this it is a time in milliseconds, before it one in seconds. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** The failure that an error of the venue is for its connection. */
export function describeError(payload: Readonly<Record<string, unknown>>, isOfRefresh: boolean, nowMs: number) {
  const code = String(payload.errorCode);
  const text = payload.description == null ? code : `${code}: ${String(payload.description)}`;
  if (isOfRefresh && !PASSING_CODES.includes(code)) return createTokenError(text);
  const retryAfterMs = Math.min(Math.max(readPauseMs(payload, nowMs), 0), MAX_PAUSE_MS);
  return new VenueError(text, { isFinal: FINAL_CODES.includes(code), retryAfterMs });
}

/** No later attempt can succeed until the operator sets new tokens. */
export function createTokenError(reason: string): VenueError {
  return new VenueError(`${reason}; authorise the application again and set both new tokens`, { isFinal: true });
}

function readPauseMs({ retryAfter, maintenanceEndTimestamp }: Readonly<Record<string, unknown>>, nowMs: number) {
  const pauseMs = Number(retryAfter ?? 0) * SECOND_MS;
  const end = Number(maintenanceEndTimestamp ?? 0);
  const endMs = end < FIRST_MILLISECONDS ? end * SECOND_MS : end;
  const latest = Math.max(pauseMs, endMs - nowMs);
  return Number.isFinite(latest) ? latest : 0;
}
