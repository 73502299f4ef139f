import { countSecondsToMidnight } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { computeResetSeconds, countRemaining, WINDOW_SECONDS } from "@/lib/access/admission/minute-window";
import type { Handled } from "@/lib/api/engine/answer";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Exchange, Match } from "@/lib/api/engine/exchange";
import type { Coding } from "@/lib/api/engine/negotiation";
import type { Services } from "@/lib/api/engine/services";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/** How a caller without a valid key may authenticate (RFC 9110, 11.6.1). */
export const KEY_CHALLENGE = formatHeaderLine(
  "WWW-Authenticate",
  'Bearer realm="Spotline", ApiKey realm="Spotline", header="X-API-Key"',
);

/**
 * Formats the header lines that follow from headers of the request. Most calls have none of them.
 *
 * @param isLong whether the body, or the one that is not sent again, is long enough to be compressed
 * @param coding how the body is compressed
 */
export function formatNegotiated(
  { call, endpoint, services, namedKey }: Pick<Exchange, "call" | "endpoint" | "services" | "namedKey">,
  isLong: boolean,
  coding: Coding | undefined,
): string {
  const { cors } = services;
  const varies = cors.varies();
  let lines = formatVary(endpoint?.csv !== undefined, isLong, varies);
  if (coding !== undefined) lines += `Content-Encoding: ${coding}\r\n`;
  if (call.traceparent !== undefined) lines += formatTraceparent(call.traceparent);
  return cors.isUsed() ? lines + cors.formatAnswer(call.header("origin"), namedKey) : lines;
}

/** Answers OPTIONS: 204 with the methods of a path, and the permission for the call that a browser announces. */
export function answerOptions(call: Pick<Call, "header">, match: Match, { cors }: Pick<Services, "cors">): Handled {
  const methods = `${listMethods(match)}, OPTIONS`;
  const isPreflight = call.header("access-control-request-method") !== undefined;
  const permission = isPreflight ? cors.formatPreflight(call.header("origin"), methods) : "";
  return { status: 204, body: "", contentType: "", headers: formatHeaderLine("Allow", methods) + permission };
}

/** The methods of a path, for the header Allow. */
export function listMethods({ endpoints }: Match): string {
  return endpoints.map(({ method }) => (method === "GET" ? "GET, HEAD" : method)).join(", ");
}

/** The request headers that may decide on an answer, in the order of Vary. */
const NAMES = ["Accept", "Accept-Encoding", "Origin"] as const;

/** The lines of every combination, by their bits: no answer formats one. */
const LINES = Array.from({ length: 2 ** NAMES.length }, (_, bits) => {
  const names = NAMES.filter((_name, at) => (bits & (1 << at)) !== 0);
  return names.length === 0 ? "" : `Vary: ${names.join(", ")}\r\n`;
});

/** Formats the header Vary: which headers of a request decide on the format, the compression and CORS of its answer. */
function formatVary(byFormat: boolean, byCoding: boolean, byOrigin: boolean): string {
  return LINES[(byFormat ? 1 : 0) | (byCoding ? 2 : 0) | (byOrigin ? 4 : 0)] as string;
}

/** Ids that callers send along, which answers repeat: only characters that are safe in headers, logs and JSON. */

const CALLER_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;
/** W3C Trace Context, version 00; later versions begin in the same way. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The X-Request-Id of a caller; null without one, and for one that is too long or has other characters. */
export function readCallerId(text: string | undefined): string | null {
  return text !== undefined && CALLER_ID.test(text) ? text : null;
}

/** The header line that repeats a traceparent; empty without a valid one. */
export function formatTraceparent(text: string | undefined): string {
  return text !== undefined && TRACEPARENT.test(text) ? `traceparent: ${text}\r\n` : "";
}

const JSON_TYPE = "application/json; charset=utf-8";
const USUAL_LINES = formatContentLines(JSON_TYPE);

type AnsweredExchange = Pick<Exchange, "key" | "requestId" | "callerId" | "ignored" | "isKeyDayUsedUp">;

/**
 * Formats the header lines of every answer. The lines are one text:
 * joining a list of pairs costs three times as much, 0.8 µs a call.
 */
export function formatHeaders(
  exchange: AnsweredExchange,
  nowMs: number,
  extra = "",
  etag?: string,
  contentType = JSON_TYPE,
): string {
  const { requestId, callerId, ignored } = exchange;
  const contentLines =
    etag === undefined && contentType === JSON_TYPE ? USUAL_LINES : formatContentLines(contentType, etag);
  const ignoredLine = ignored === null ? "" : `X-Ignored-Params: ${ignored}\r\n`;
  const window = formatWindow(exchange, nowMs);
  return `${contentLines}X-Request-Id: ${callerId ?? requestId}\r\n${window}${ignoredLine}${extra}`;
}

/** Calls without a valid key have no limit: programs that read a limit of 0 would wait for its end. */
function formatWindow({ key, isKeyDayUsedUp }: AnsweredExchange, nowMs: number): string {
  if (key === null) return "";
  return isKeyDayUsedUp ? formatUsedUpDay(key, nowMs) : formatMinute(key, nowMs);
}

function formatContentLines(contentType: string, etag?: string): string {
  const caching =
    etag === undefined ? "Cache-Control: private, no-store" : `Cache-Control: private, no-cache\r\nETag: ${etag}`;
  const type = contentType === "" ? "" : `Content-Type: ${contentType}\r\n`;
  return `${type}X-Content-Type-Options: nosniff\r\n${caching}\r\n`;
}

function formatMinute({ perMinute: limit, minute }: KeyEntry, nowMs: number): string {
  const left = countRemaining(minute, limit, nowMs);
  const reset = computeResetSeconds(minute, nowMs);
  return (
    `${formatLimitLines(limit)}X-RateLimit-Remaining: ${left}\r\n` +
    `X-RateLimit-Reset: ${reset}\r\nRateLimit: "minute";r=${left};t=${reset}\r\n`
  );
}

/** A key's own day that is used up is the tighter window: the minute would say that there are calls left. */
function formatUsedUpDay({ ownPerDay }: KeyEntry, nowMs: number): string {
  const reset = countSecondsToMidnight(nowMs);
  return (
    `X-RateLimit-Limit: ${ownPerDay}\r\nRateLimit-Policy: "day";q=${ownPerDay};w=${DAY_MS / SECOND_MS}\r\n` +
    `X-RateLimit-Remaining: 0\r\nX-RateLimit-Reset: ${reset}\r\nRateLimit: "day";r=0;t=${reset}\r\n`
  );
}

let memoLimit = -1;
let lines = "";

/** The lines that depend on the limit alone; consecutive calls mostly share it. */
function formatLimitLines(limit: number): string {
  if (limit !== memoLimit) {
    memoLimit = limit;
    lines = `X-RateLimit-Limit: ${limit}\r\nRateLimit-Policy: "minute";q=${limit};w=${WINDOW_SECONDS}\r\n`;
  }
  return lines;
}
