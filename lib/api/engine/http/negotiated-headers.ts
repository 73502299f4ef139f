import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Handled } from "@/lib/api/engine/endpoint";
import type { Exchange, Match } from "@/lib/api/engine/exchange";
import { formatTraceparent } from "@/lib/api/engine/http/caller-ids";
import type { Coding } from "@/lib/api/engine/http/negotiation";
import { formatVary } from "@/lib/api/engine/http/vary";
import type { Services } from "@/lib/api/engine/services";

/** How a caller without a valid key may authenticate (RFC 9110, 11.6.1). */
export const KEY_CHALLENGE = formatHeaderLine("WWW-Authenticate", 'ApiKey realm="Spotline", header="X-API-Key"');

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
