import { countSecondsToMidnight } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { computeResetSeconds } from "@/lib/access/admission/minute-window";
import type { Verdict } from "@/lib/access/admission/windows";
import { NotCounted } from "@/lib/access/admission/writer-windows";
import type { Answer, Handled } from "@/lib/api/engine/answer";
import {
  answerOptions,
  formatHeaders,
  formatNegotiated,
  KEY_CHALLENGE,
  listMethods,
  readCallerId,
} from "@/lib/api/engine/answer-headers";
import { chooseEndpoint } from "@/lib/api/engine/as-of";
import { authenticate, KEY_NOT_KNOWN_YET, requireAccess } from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { createRequestId } from "@/lib/api/engine/client-address";
import { compress, MIN_COMPRESSED_LENGTH } from "@/lib/api/engine/compression";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { matchesEtag, weakenEtag } from "@/lib/api/engine/etag";
import { type Exchange, findEndpoint, type Match } from "@/lib/api/engine/exchange";
import { readInput } from "@/lib/api/engine/input";
import { chooseCoding, chooseFormat, type Coding, type Format } from "@/lib/api/engine/negotiation";
import type { Services } from "@/lib/api/engine/services";
import { writeTable } from "@/lib/api/engine/table";
import { createUnknownPathError } from "@/lib/api/engine/unknown-path";
import { openLink } from "@/lib/api/links";
import { isDatabaseUnavailable, isReadOnlyDatabase } from "@/lib/platform/database/database-errors";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";

/**
 * The steps of every call, of either host: key → access and input → minute and day → handler → answer. `fail` turns all
 * errors into a status and a code. Synchronous, unless the handler or shared counters return a promise, or the answer is
 * a table.
 */

/** Answers a call; `match` is null where no endpoint has its path. Never throws and never rejects. */
export function answerCall(call: Call, match: Match | null, services: Services): Answer | Promise<Answer> {
  return attempt({
    call,
    match,
    endpoint: match === null ? null : findEndpoint(match, call.method),
    link: null,
    services,
    requestId: createRequestId(),
    callerId: call.callerId === undefined ? null : readCallerId(call.callerId),
    startedAtMs: performance.now(),
    nowMs: services.now(),
    key: null,
    namedKey: null,
    body: null,
    keysRefreshed: false,
    reservedAtMs: null,
    isKeyDayUsedUp: false,
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

function perform(exchange: Exchange): Handled | Promise<Handled> {
  const { match } = exchange;
  if (match === null)
    throw createUnknownPathError(exchange.call.path, exchange.call.header("sec-websocket-key") !== undefined);
  if (match.link !== undefined && exchange.endpoint !== null && exchange.link === null) openLink(exchange, match.link);
  return performOpened(exchange, exchange.match ?? match);
}

function performOpened(exchange: Exchange, match: Match): Handled | Promise<Handled> {
  const { call, services } = exchange;
  if (call.method === "OPTIONS") return answerOptions(call, match, services);
  if (exchange.endpoint === null) {
    const allow = listMethods(match);
    throw new ApiError(
      "METHOD_NOT_ALLOWED",
      `This endpoint answers ${allow} only.`,
      {},
      formatHeaderLine("Allow", allow),
    );
  }
  const endpoint = (exchange.endpoint = chooseEndpoint(exchange.endpoint, call));
  if (endpoint.access === "open") return handle(exchange, endpoint, readInput(call, endpoint, match.segment));
  const key = authenticate(exchange, endpoint);
  const checked = checkCall(exchange, endpoint, key, match.segment);
  const credits = checked instanceof ApiError ? null : endpoint.weight;
  const verdict = services.windows.count(key, credits, exchange.nowMs);
  if (!(verdict instanceof Promise)) return admit(exchange, endpoint, key, checked, verdict);
  return verdict.then((value) => admit(readClock(exchange), endpoint, key, checked, value));
}

type CallInput = ReturnType<typeof readInput>;

/** Makes the checks that need no counter. Returns the input, or the error to answer if the minute is not used up. */
function checkCall(exchange: Exchange, endpoint: Endpoint, key: KeyEntry, segment: string): CallInput | ApiError {
  try {
    requireAccess(exchange, key, endpoint);
    const input = readInput(exchange.call, endpoint, segment);
    exchange.body = input.body;
    return input;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The order of refusals: minute limit, access and input, daily quota. */
function admit(
  exchange: Exchange,
  endpoint: Endpoint,
  key: KeyEntry,
  checked: CallInput | ApiError,
  verdict: Verdict,
): Handled | Promise<Handled> {
  if (verdict === "minute used up") throw createMinuteError(key, exchange.nowMs);
  if (checked instanceof ApiError) throw checked;
  if (verdict === "day used up") throw createDayError(exchange.nowMs);
  if (verdict === "key day used up") {
    exchange.isKeyDayUsedUp = true;
    throw createKeyDayError(key, exchange.nowMs);
  }
  exchange.reservedAtMs = exchange.nowMs;
  return handle(exchange, endpoint, checked);
}

function handle(exchange: Exchange, endpoint: Endpoint, input: CallInput): Handled | Promise<Handled> {
  const { call, services, key } = exchange;
  const { query, body, segment, ignored } = input;
  exchange.ignored = ignored;
  const { table, path } = endpoint;
  const isTable = table !== undefined && chooseFormat((query as FormatQuery).format, call.accept) === "csv";
  const handled = endpoint.handle({ query, body, segment, key, call, isTable, services });
  if (!isTable) return handled;
  return mapMaybeAsync(handled, (answered) => writeTable(answered, table, path));
}

interface FormatQuery {
  readonly format?: Format | undefined;
}

function succeed(exchange: Exchange, handled: Handled): Answer | Promise<Answer> {
  const { status = 200, body, etag, coding } = handled;
  const { call } = exchange;
  const isLong = coding !== undefined || body.length >= MIN_COMPRESSED_LENGTH;
  if (etag !== undefined) {
    const known = call.header("if-none-match");
    if (known !== undefined && matchesEtag(known, etag)) return finish(exchange, 304, "", { etag }, { isLong });
  }
  if (coding !== undefined) return finish(exchange, status, body, handled, { isLong, coding });
  const chosen = isLong ? chooseCoding(call.header("accept-encoding")) : null;
  if (chosen === null) return finish(exchange, status, body, handled, isLong ? LONG : SHORT);
  const send = (bytes: Uint8Array) =>
    finish(exchange, status, bytes, { ...handled, isAscii: false }, { isLong, coding: chosen });
  const compressed = compress(body, chosen);
  return compressed instanceof Promise
    ? compressed.then(send, () => finish(exchange, status, body, handled, LONG))
    : send(compressed);
}

const SHORT: Finish = {};
const LONG: Finish = { isLong: true };

function fail(exchange: Exchange, cause: unknown): Answer {
  const error = cause instanceof ApiError ? cause : toApiError(exchange, cause);
  const isFlat = exchange.endpoint?.failsFlat?.(exchange.call.search) ?? false;
  const challenge = error.status === 401 && error.code !== "INVALID_TOKEN" ? KEY_CHALLENGE : "";
  const headers = error.headers + challenge;
  const written = exchange.match?.writeError?.(error);
  if (written !== undefined) {
    return finish(exchange, error.status, written.body, { ...written, headers }, { refusal: error });
  }
  return finish(exchange, error.status, isFlat ? error.flatBody() : error.body(), { headers }, { refusal: error });
}

/** Logs the cause under the request id. The answer does not contain it. */
export function toApiError(
  { services, requestId }: Pick<Exchange, "services" | "requestId">,
  cause: unknown,
): ApiError {
  services.log.error({ id: requestId, err: cause }, "request failed");
  if (isDatabaseUnavailable(cause)) return createUnavailable("The database cannot be reached at the moment.");
  if (isReadOnlyDatabase(cause)) return createUnavailable("The database takes no changes at the moment.");
  if (cause instanceof NotCounted) return createUnavailable("Calls cannot be counted at the moment.");
  return new ApiError("INTERNAL_ERROR", "Something went wrong on our side. The request id finds it in the log.");
}

function createUnavailable(message: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, {}, formatHeaderLine("Retry-After", 5));
}

/** Counts the call in the usage, logs it for the operator and for its key's owner, and builds the answer. */
function finish(
  exchange: Exchange,
  status: number,
  body: Handled["body"],
  { headers = "", etag, contentType, isAscii = false, stream, file }: Omit<Handled, "status" | "body">,
  { isLong = false, coding, refusal = null }: Finish,
): Answer {
  const { call, match, endpoint, services, requestId, key, namedKey, reservedAtMs, nowMs } = exchange;
  const ms = Math.round((performance.now() - exchange.startedAtMs) * 1000) / 1000;
  const succeeded = status >= 200 && status < 300;
  const credits = key !== null && endpoint !== null && succeeded ? endpoint.weight : 0;
  if (key !== null && endpoint !== null) {
    if (reservedAtMs !== null && !succeeded) services.windows.release(key, endpoint.weight, reservedAtMs);
    services.usage.count(key, endpoint.path, status, credits, call, nowMs);
  }
  if (namedKey !== null) services.requestLog.note(namedKey, exchange, status, refusal, credits, ms);
  services.noteCall({
    id: requestId,
    method: call.method,
    path: match === null ? "unmatched" : match.path,
    status,
    ms,
    key,
    caller: call,
    callerId: exchange.callerId ?? null,
  });
  const tag = etag !== undefined && coding !== undefined ? weakenEtag(etag) : etag;
  const extra = headers + formatNegotiated(exchange, isLong, coding);
  return { status, headers: formatHeaders(exchange, nowMs, extra, tag, contentType), body, isAscii, stream, file };
}

/** What `finish` must know beside the answer. */
interface Finish {
  /** Whether the body, or the one that is not sent again, is long enough to be compressed. */
  readonly isLong?: boolean;
  /** How the body is compressed. */
  readonly coding?: Coding;
  readonly refusal?: ApiError | null;
}

/** 429 RATE_LIMIT_EXCEEDED: the minute of the key is used up. */
export function createMinuteError(key: KeyEntry, nowMs: number): ApiError {
  const seconds = computeResetSeconds(key.minute, nowMs);
  return new ApiError(
    "RATE_LIMIT_EXCEEDED",
    `This API key may make ${key.perMinute} requests a minute.`,
    { limit: key.perMinute, remaining: 0, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** 429 QUOTA_EXCEEDED: the day of the key itself is used up. */
export function createKeyDayError(key: KeyEntry, nowMs: number): ApiError {
  const seconds = countSecondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    `This API key may make ${key.ownPerDay} calls a day. They start anew at midnight UTC.`,
    { limit: key.ownPerDay, remaining: 0, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** 429 QUOTA_EXCEEDED: the day of the account is used up. */
export function createDayError(nowMs: number): ApiError {
  const seconds = countSecondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    "The account's calls for today are used up. They start anew at midnight UTC.",
    { reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}
