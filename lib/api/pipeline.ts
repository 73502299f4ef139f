import { ApiError } from "@/lib/api/errors";
import { authorise, KEY_NOT_KNOWN_YET } from "@/lib/api/authorise";
import { headersOf } from "@/lib/api/answer-headers";
import { isDatabaseUnavailable } from "@/lib/platform/database-errors";
import { newRequestId } from "@/lib/api/request-id";
import { readInput } from "@/lib/api/input";
import { release, reserve, secondsToMidnight } from "@/lib/access/day-window";
import type { Answer, Call } from "@/lib/api/call";
import type { Exchange, Match } from "@/lib/api/exchange";
import type { Endpoint, Handled } from "@/lib/api/endpoint";
import type { KeyEntry } from "@/lib/access/directory";
import type { Services } from "@/lib/api/services";

/**
 * The one way a call takes, whichever host it came through: key → limits → input → handler → answer, with a single
 * place where whatever goes wrong becomes a status and a code. Nothing here waits unless the handler does.
 */

/** Answers a call; `match` is null where there is nothing at its path. Never throws and never rejects. */
export function answerCall(call: Call, match: Match | null, services: Services): Answer | Promise<Answer> {
  return attempt({
    call,
    match,
    endpoint: match === null ? null : endpointFor(call.method, match),
    services,
    requestId: newRequestId(),
    startedAtMs: performance.now(),
    key: null,
    keysRefreshed: false,
    reservedAtMs: null,
    ignored: null,
  });
}

function attempt(exchange: Exchange): Answer | Promise<Answer> {
  try {
    const handled = perform(exchange);
    if (!(handled instanceof Promise)) return succeed(exchange, handled);
    return handled.then(
      (value) => succeed(exchange, value),
      (error: unknown) => fail(exchange, error),
    );
  } catch (error) {
    if (error !== KEY_NOT_KNOWN_YET) return fail(exchange, error);
    exchange.keysRefreshed = true;
    const again = () => attempt(exchange);
    return exchange.services.directory.refresh().then(again, again);
  }
}

function endpointFor(method: string, { endpoints }: Match): Endpoint | null {
  const asked = method === "HEAD" ? "GET" : method;
  for (const endpoint of endpoints) if (endpoint.method === asked) return endpoint;
  return null;
}

function perform(exchange: Exchange): Handled | Promise<Handled> {
  const { call, match, endpoint, services } = exchange;
  if (match === null)
    throw new ApiError("NOT_FOUND", "There is no such endpoint. GET /v1/openapi.json lists them all.");
  if (endpoint === null) {
    const allow = match.endpoints.map(({ method }) => (method === "GET" ? "GET, HEAD" : method)).join(", ");
    throw new ApiError("METHOD_NOT_ALLOWED", `This endpoint answers ${allow} only.`, {}, `Allow: ${allow}\r\n`);
  }
  if (endpoint.access === "key") authorise(exchange, endpoint);
  const { query, body, segment, ignored } = readInput(call, endpoint, match.segment);
  exchange.ignored = ignored;
  const { key } = exchange;
  if (key !== null) reserveCall(exchange, key, endpoint.weight);
  return endpoint.handle({ query, body, segment, key, call, services });
}

function reserveCall(exchange: Exchange, key: KeyEntry, credits: number): void {
  const nowMs = exchange.services.now();
  if (!reserve(key.day, key.perDay, nowMs, credits)) {
    const seconds = secondsToMidnight(nowMs);
    throw new ApiError(
      "QUOTA_EXCEEDED",
      "The account's calls for today are used up. They start anew at midnight UTC.",
      { reset_in_seconds: seconds },
      `Retry-After: ${seconds}\r\n`,
    );
  }
  exchange.reservedAtMs = nowMs;
}

function succeed(exchange: Exchange, handled: Handled): Answer {
  const unchanged = handled.etag !== undefined && exchange.call.header("if-none-match") === handled.etag;
  if (unchanged) return finish(exchange, 304, "", { etag: handled.etag });
  return finish(exchange, handled.status ?? 200, handled.body, handled);
}

function fail(exchange: Exchange, cause: unknown): Answer {
  const error = cause instanceof ApiError ? cause : unexpected(exchange, cause);
  const isFlat = exchange.endpoint?.failsFlat?.(exchange.call.search) ?? false;
  return finish(exchange, error.status, isFlat ? error.flatBody() : error.body(), error);
}

/** The cause goes to the log under the request's id; the caller learns only that it was not their fault. */
function unexpected({ services, requestId }: Exchange, cause: unknown): ApiError {
  services.log.error({ id: requestId, err: cause }, "request failed");
  return isDatabaseUnavailable(cause)
    ? new ApiError("SERVICE_UNAVAILABLE", "The database cannot be reached at the moment.", {}, "Retry-After: 5\r\n")
    : new ApiError("INTERNAL_ERROR", "Something went wrong on our side. The request id finds it in the log.");
}

/** Settles the accounts of a call, tells the log, and writes the answer. */
function finish(
  exchange: Exchange,
  status: number,
  body: Handled["body"],
  { headers, etag, contentType, isAscii = false }: Pick<Handled, "headers" | "etag" | "contentType" | "isAscii">,
): Answer {
  const { call, match, endpoint, services, requestId, key, reservedAtMs } = exchange;
  if (key !== null && endpoint !== null) {
    const succeeded = status >= 200 && status < 300;
    if (reservedAtMs !== null && !succeeded) release(key.day, reservedAtMs, endpoint.weight);
    services.usage.count(key, endpoint.path, status, succeeded ? endpoint.weight : 0, call);
  }
  services.logRequest({
    id: requestId,
    method: call.method,
    path: match === null ? "unmatched" : match.path,
    status,
    ms: Math.round((performance.now() - exchange.startedAtMs) * 1000) / 1000,
    key: key === null ? null : key.id,
  });
  return { status, headers: headersOf(exchange, services.now(), headers, etag, contentType), body, isAscii };
}
