import * as z from "zod";
import type { Directory } from "@/lib/access/admission/directory";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { Handled } from "@/lib/api/engine/endpoint";
import type { Exchange, Match } from "@/lib/api/engine/exchange";
import { RESPONSE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import type { CorsOrigins } from "@/lib/platform/settings/server-settings";
import { DAY_MS, SECOND_MS } from "@/lib/time/units";

/** The format of an answer: the parameter `format`, else the preference of the Accept header, else JSON. */
export type Format = "json" | "csv";

export const formatParam = z.enum(["json", "csv"], { error: "must be json or csv" }).meta({
  description: "How the answer is written. Without it the Accept header decides; JSON is the default.",
});

/** Chooses the format of an answer. If the Accept header prefers CSV and JSON equally, it is JSON. */
export function chooseFormat(format: Format | undefined, accept: string | undefined): Format {
  if (format !== undefined) return format;
  if (accept === undefined || !/csv/i.test(accept)) return "json";
  return findQuality(accept, "text", "csv") > findQuality(accept, "application", "json") ? "csv" : "json";
}

/** The compression of an answer. */
export type Coding = "br" | "gzip";

/** Whether an Accept-Encoding header allows gzip. */
export function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && (parseCodings(header).gzip ?? 0) > 0;
}

/** Chooses the compression that an Accept-Encoding header prefers, Brotli among equal ones; null for none. */
export function chooseCoding(header: string | undefined): Coding | null {
  if (header === undefined) return null;
  const { br = 0, gzip = 0 } = parseCodings(header);
  if (br === 0 && gzip === 0) return null;
  return br >= gzip ? "br" : "gzip";
}

/** The qualities of both codings, 0 to 1; absent if the header does not name them, not even as `*` (RFC 9110, 12.5.3). */
function parseCodings(header: string): Partial<Record<Coding, number>> {
  const qualities = new Map<string, number>();
  for (const coding of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = coding.split(";");
    qualities.set(name.trim(), parseQuality(parameters));
  }
  const other = qualities.get("*");
  const br = qualities.get("br") ?? other;
  const gzip = qualities.get("gzip") ?? qualities.get("x-gzip") ?? other;
  return { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) };
}

/** The quality of a media type, 0 to 1, from the most specific range that covers it (RFC 9110, 12.5.1). */
function findQuality(accept: string, type: string, subtype: string): number {
  let best = { specificity: 0, quality: 0 };
  for (const range of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = range.split(";");
    const [rangeType = "", rangeSubtype = ""] = name.trim().split("/");
    const specificity =
      rangeType === type && rangeSubtype === subtype
        ? 3
        : rangeType === type && rangeSubtype === "*"
          ? 2
          : rangeType === "*" && rangeSubtype === "*"
            ? 1
            : 0;
    if (specificity > best.specificity) best = { specificity, quality: parseQuality(parameters) };
  }
  return best.quality;
}

function parseQuality(parameters: readonly string[]): number {
  const text = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return text === undefined ? 1 : Number(text);
}

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

/**
 * Which pages of other sites browsers let call the API (Fetch standard, CORS protocol): those of the configured origins,
 * and those of the origins that a key lists, with that key. Cookies are never used.
 */
export interface Cors {
  /** Whether pages of any origin may read answers. */
  readonly isUsed: () => boolean;
  /** Whether answers differ by the header Origin. */
  readonly varies: () => boolean;
  /**
   * Formats the header lines for an answer to a page of this origin; empty if it may not read the answer.
   * @param key the key that the call names; null if it names none
   */
  formatAnswer(origin: string | undefined, key: OriginsOfKey | null): string;
  /** Formats the further lines that allow a page of this origin to make a call; empty if it may not. */
  formatPreflight(origin: string | undefined, methods: string): string;
}

/** Null allows every origin that is configured. */
interface OriginsOfKey {
  readonly origins: ReadonlySet<string> | null;
}

const EXPOSED = formatHeaderLine("Access-Control-Expose-Headers", Object.keys(RESPONSE_HEADERS).join(", "));
const ALLOWED = formatHeaderLine(
  "Access-Control-Allow-Headers",
  "X-API-Key, Accept, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id, traceparent",
);
/** Browsers keep the permission at most so long; most of them shorter. */
const MAX_AGE = formatHeaderLine("Access-Control-Max-Age", DAY_MS / SECOND_MS);

/**
 * @param configured null for none
 * @param directory knows the origins of keys. A browser asks for permission without a key, so that any key's will do; the
 *   call itself is then allowed by its own key.
 */
export function createCors(configured: CorsOrigins | null, directory: Pick<Directory, "hasOrigin">): Cors {
  /** Text from outside is repeated only if it equals an origin of the configuration or of a key. */
  const formatOrigin = (origin: string | undefined, key: OriginsOfKey | null) => {
    if (origin === undefined) return "";
    if (configured === "*") return formatHeaderLine("Access-Control-Allow-Origin", "*");
    const isOfKey = key === null ? directory.hasOrigin(origin) : key.origins?.has(origin);
    return configured?.has(origin) || isOfKey ? formatHeaderLine("Access-Control-Allow-Origin", origin) : "";
  };
  return {
    isUsed: () => configured !== null || directory.hasOrigin(),
    varies: () => (configured !== null && configured !== "*") || directory.hasOrigin(),
    formatAnswer(origin, key) {
      const allowed = formatOrigin(origin, key);
      return allowed === "" ? "" : allowed + EXPOSED;
    },
    formatPreflight(origin, methods) {
      if (formatOrigin(origin, null) === "") return "";
      return formatHeaderLine("Access-Control-Allow-Methods", methods) + ALLOWED + MAX_AGE;
    },
  };
}
