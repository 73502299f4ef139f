import type { KeyEntry } from "@/lib/access/admission/directory";
import type { SharedWindows } from "@/lib/access/admission/shared-windows";
import { headersOf } from "@/lib/api/engine/answer-headers";
import { authenticate, KEY_NOT_KNOWN_YET, requireAccess } from "@/lib/api/engine/authorise";
import type { Answer, Call } from "@/lib/api/engine/call";
import type { Endpoint, Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Exchange, Match } from "@/lib/api/engine/exchange";
import { readInput } from "@/lib/api/engine/input";
import { admitCall, countCallShared, giveBack, reserveCall } from "@/lib/api/engine/limits";
import { newRequestId } from "@/lib/api/engine/request-id";
import type { Services } from "@/lib/api/engine/services";
import { isDatabaseUnavailable } from "@/lib/platform/database-errors";

/**
 * The one way a call takes, whichever host it came through: key → limits → input → handler → answer, with a single
 * place where whatever goes wrong becomes a status and a code. Nothing here waits unless the handler does, or counters
 * that are shared with other processes.
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
    nowMs: services.now(),
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
      (value) => succeed(readClock(exchange), value),
      (error: unknown) => fail(readClock(exchange), error),
    );
  } catch (error) {
    if (error !== KEY_NOT_KNOWN_YET) return fail(exchange, error);
    exchange.keysRefreshed = true;
    const again = () => attempt(readClock(exchange));
    return exchange.services.directory.refresh().then(again, again);
  }
}

function readClock(exchange: Exchange): Exchange {
  exchange.nowMs = exchange.services.now();
  return exchange;
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
  const key = endpoint.access === "key" ? authenticate(exchange, endpoint) : null;
  if (key !== null && services.sharedWindows !== null) {
    return performShared(exchange, match, endpoint, key, services.sharedWindows);
  }
  if (key !== null) {
    admitCall(exchange, key);
    requireAccess(exchange, key, endpoint);
  }
  const input = readInput(call, endpoint, match.segment);
  if (key !== null) reserveCall(exchange, key, endpoint.weight);
  return handle(exchange, endpoint, input);
}

/** What needs no counter is looked at first, so that one question settles the minute and the day. */
function performShared(
  exchange: Exchange,
  { segment }: Match,
  endpoint: Endpoint,
  key: KeyEntry,
  windows: SharedWindows,
): Handled | Promise<Handled> {
  let input: CallInput | null = null;
  let refusal: unknown = null;
  try {
    requireAccess(exchange, key, endpoint);
    input = readInput(exchange.call, endpoint, segment);
  } catch (error) {
    refusal = error;
  }
  const counting = countCallShared(exchange, key, endpoint.weight, windows, refusal);
  const go = () => handle(exchange, endpoint, input as CallInput);
  return counting instanceof Promise ? counting.then(go) : go();
}

type CallInput = ReturnType<typeof readInput>;

function handle(exchange: Exchange, endpoint: Endpoint, input: CallInput): Handled | Promise<Handled> {
  const { call, services, key } = exchange;
  const { query, body, segment, ignored } = input;
  exchange.ignored = ignored;
  return endpoint.handle({ query, body, segment, key, call, services });
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
  const { call, match, endpoint, services, requestId, key, reservedAtMs, nowMs } = exchange;
  if (key !== null && endpoint !== null) {
    const succeeded = status >= 200 && status < 300;
    if (reservedAtMs !== null && !succeeded) giveBack(exchange, key, endpoint.weight, reservedAtMs);
    services.usage.count(key, endpoint.path, status, succeeded ? endpoint.weight : 0, call, nowMs);
  }
  services.logRequest({
    id: requestId,
    method: call.method,
    path: match === null ? "unmatched" : match.path,
    status,
    ms: Math.round((performance.now() - exchange.startedAtMs) * 1000) / 1000,
    key: key === null ? null : key.id,
  });
  return { status, headers: headersOf(exchange, nowMs, headers, etag, contentType), body, isAscii };
}
