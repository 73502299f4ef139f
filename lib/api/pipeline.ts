import { ApiError } from "@/lib/api/errors";
import { authorise, KEY_NOT_KNOWN_YET, type Caller } from "@/lib/api/authorise";
import { headersOf } from "@/lib/api/answer-headers";
import { headerList, readQuery, validate, type Input } from "@/lib/api/query";
import { MAX_URL_LENGTH, type Answer, type Call } from "@/lib/api/call";
import { newRequestId } from "@/lib/api/request-id";
import { isDatabaseUnavailable } from "@/lib/platform/database-errors";
import { release, reserve, secondsToMidnight } from "@/lib/access/day-window";
import type { Endpoint, Handled } from "@/lib/api/endpoint";
import type { Services } from "@/lib/api/services";

/**
 * The one way a call takes, whichever host it came through: key → limits → input → handler → answer, with a single
 * place where whatever goes wrong becomes a status and a code. Nothing here waits unless the handler does.
 */

/** What is known about a call while it is under way. */
export interface Progress {
  readonly requestId: string;
  readonly startedAtMs: number;
  caller: Caller | null;
  /** Whether the directory of keys was brought up to date for this call. */
  keysRefreshed: boolean;
  /** When a call of the day's quota was set aside for this one; null if none was. */
  reservedAtMs: number | null;
  ignored: string | null;
}

/**
 * Answers a call. `matched` is the endpoint at the call's path, with the raw text of its path parameter, or null
 * where there is none. Never throws and never rejects.
 */
export function answerCall(call: Call, matched: Match | null, services: Services): Answer | Promise<Answer> {
  const progress: Progress = {
    requestId: newRequestId(),
    startedAtMs: performance.now(),
    caller: null,
    keysRefreshed: false,
    reservedAtMs: null,
    ignored: null,
  };
  return attempt(call, matched, services, progress);
}

function attempt(call: Call, matched: Match | null, services: Services, progress: Progress): Answer | Promise<Answer> {
  try {
    const handled = perform(call, matched, services, progress);
    if (handled instanceof Promise) {
      return handled.then(
        (value) => succeed(call, matched, services, progress, value),
        (error: unknown) => fail(call, matched, services, progress, error),
      );
    }
    return succeed(call, matched, services, progress, handled);
  } catch (error) {
    if (error !== KEY_NOT_KNOWN_YET) return fail(call, matched, services, progress, error);
    progress.keysRefreshed = true;
    const again = () => attempt(call, matched, services, progress);
    return services.directory.refresh().then(again, again);
  }
}

export interface Match {
  readonly endpoint: Endpoint;
  /** Still percent-encoded; empty where the path has no parameter. */
  readonly segment: string;
}

function perform(
  call: Call,
  matched: Match | null,
  services: Services,
  progress: Progress,
): Handled | Promise<Handled> {
  if (matched === null)
    throw new ApiError("NOT_FOUND", "There is no such endpoint. GET /v1/openapi.json lists them all.");
  const { endpoint, segment } = matched;
  const method = call.method === "HEAD" ? "GET" : call.method;
  if (method !== endpoint.method) {
    const allow = endpoint.method === "GET" ? "GET, HEAD" : endpoint.method;
    throw new ApiError("METHOD_NOT_ALLOWED", `This endpoint answers ${allow} only.`, {}, ["Allow", allow]);
  }
  if (endpoint.access !== "open") authorise(call, endpoint, services, progress);
  if (call.path.length + call.search.length > MAX_URL_LENGTH) {
    throw new ApiError("URI_TOO_LONG", `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  }
  const query = queryOf(call, endpoint);
  const body = bodyOf(call, endpoint);
  progress.ignored = body.ignored === null ? query.ignored : [query.ignored, body.ignored].filter(Boolean).join(", ");
  const key = progress.caller?.key ?? null;
  if (key !== null) {
    const nowMs = services.now();
    if (!reserve(key.day, key.perDay, nowMs)) throw quotaExceeded(nowMs);
    progress.reservedAtMs = nowMs;
  }
  return endpoint.handle({
    query: query.value,
    body: body.value,
    segment: segment === "" ? "" : decodeSegment(segment),
    key,
    services,
  });
}

const MAX_REMEMBERED_QUERIES = 4096;
const MAX_REMEMBERED_LENGTH = 256;

function queryOf(call: Call, endpoint: Endpoint): Input<unknown> {
  const known = endpoint.queries.get(call.search);
  if (known !== undefined) return known;
  const read = readQuery(call.search, endpoint.query);
  if (call.search.length <= MAX_REMEMBERED_LENGTH) {
    if (endpoint.queries.size >= MAX_REMEMBERED_QUERIES) endpoint.queries.clear();
    endpoint.queries.set(call.search, read);
  }
  return read;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function bodyOf(call: Call, endpoint: Endpoint): Input<unknown> {
  if (endpoint.body === null) return { value: null, ignored: null };
  if (call.body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  if (!/^application\/json\s*(;|$)/i.test(call.contentType ?? "")) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent as Content-Type: application/json.");
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(call.body === "none" ? "" : utf8.decode(call.body));
  } catch {
    throw new ApiError("VALIDATION_ERROR", "the body is not valid JSON in UTF-8");
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new ApiError("VALIDATION_ERROR", "the body must be a JSON object");
  }
  const { shape } = endpoint.body;
  const unknown = new Set(Object.keys(parsed).filter((name) => !Object.hasOwn(shape, name)));
  return { value: validate(parsed, endpoint.body), ignored: headerList(unknown) };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError("VALIDATION_ERROR", "the path is not valid percent-encoded UTF-8");
  }
}

function quotaExceeded(nowMs: number): ApiError {
  const resetSeconds = secondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    "The account's calls for today are used up. They start anew at midnight UTC.",
    { reset_in_seconds: resetSeconds },
    ["Retry-After", String(resetSeconds)],
  );
}

function succeed(call: Call, matched: Match | null, services: Services, progress: Progress, handled: Handled): Answer {
  const unchanged = handled.etag !== undefined && call.ifNoneMatch === handled.etag;
  const status = unchanged ? 304 : (handled.status ?? 200);
  return finish(
    call,
    matched,
    services,
    progress,
    status,
    unchanged ? "" : handled.body,
    handled.headers,
    handled.etag,
  );
}

function fail(call: Call, matched: Match | null, services: Services, progress: Progress, cause: unknown): Answer {
  const error = cause instanceof ApiError ? cause : unexpected(cause, services, progress);
  return finish(call, matched, services, progress, error.status, error.body(), error.headers);
}

/** The cause goes to the log under the request's id; the caller learns only that it was not their fault. */
function unexpected(cause: unknown, services: Services, progress: Progress): ApiError {
  services.log.error({ id: progress.requestId, err: cause }, "request failed");
  return isDatabaseUnavailable(cause)
    ? new ApiError("SERVICE_UNAVAILABLE", "The database cannot be reached at the moment.", {}, ["Retry-After", "5"])
    : new ApiError("INTERNAL_ERROR", "Something went wrong on our side. The request id finds it in the log.");
}

function finish(
  call: Call,
  matched: Match | null,
  services: Services,
  progress: Progress,
  status: number,
  body: string,
  extra?: readonly string[],
  etag?: string,
): Answer {
  const { caller, requestId } = progress;
  const succeeded = status >= 200 && status < 300;
  if (caller !== null && matched !== null) {
    if (progress.reservedAtMs !== null && !succeeded) release(caller.key.day, progress.reservedAtMs);
    services.usage.count(caller.key, matched.endpoint.path, status, succeeded ? matched.endpoint.weight : 0);
  }
  if (services.log.isLevelEnabled("info")) {
    services.log.info({
      id: requestId,
      method: call.method,
      path: matched?.endpoint.path ?? "unmatched",
      status,
      ms: Math.round((performance.now() - progress.startedAtMs) * 1000) / 1000,
      key: caller?.key.id,
    });
  }
  return { status, headers: headersOf(progress, services.now(), extra, etag), body };
}
