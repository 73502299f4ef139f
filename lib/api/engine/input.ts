import type * as z from "zod";
import { type Call, MAX_URL_LENGTH } from "@/lib/api/engine/call";
import type { Endpoint, Input } from "@/lib/api/engine/endpoint";
import { ApiError, UNPROCESSABLE } from "@/lib/api/engine/errors";
import { refuseForeignName, refuseFormat } from "@/lib/api/engine/foreign-names";
import { requireAcceptable } from "@/lib/api/engine/negotiation";
import { type Refusal, repetitions } from "@/lib/api/engine/params";

/** Reads and validates the query, the body and the path parameter of a call. Throws the ApiError of the first fault. */
export function readInput(call: Call, endpoint: Endpoint, segment: string) {
  if (call.path.length + call.search.length > MAX_URL_LENGTH) {
    throw new ApiError("URI_TOO_LONG", `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  }
  if (endpoint.access === "key") requireAcceptable(call.accept, listMediaTypes(endpoint));
  const query = readQuery(call, endpoint);
  const body = readBody(call, endpoint);
  return {
    query: query.value,
    body: body.value,
    segment: segment === "" ? "" : decodeSegment(segment),
    ignored: body.ignored === null ? query.ignored : [query.ignored, body.ignored].filter(Boolean).join(", "),
  };
}

function readQuery({ search }: Call, endpoint: Endpoint): Input<unknown> {
  return endpoint.queries.get(search) ?? memorize(endpoint.queries, search, parseQuery(search, endpoint.query));
}

const JSON_ONLY = ["application/json"];

/** The media types of an endpoint's answers. */
function listMediaTypes({ contentType, bytesType, csv }: Endpoint): readonly string[] {
  if (contentType === undefined && bytesType === undefined && csv === undefined) return JSON_ONLY;
  return [contentType ?? "application/json", bytesType ?? [], csv === undefined ? [] : "text/csv"].flat();
}

const NO_BODY: Input<null> = { value: null, ignored: null };

function readBody(call: Call, endpoint: Endpoint): Input<unknown> {
  if (endpoint.body === null) return NO_BODY;
  const { body } = call;
  const contentType = call.header("content-type") ?? "";
  if (body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  if (contentType !== "application/json" && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent as Content-Type: application/json.");
  }
  const coding = call.header("content-encoding") ?? "";
  if (coding !== "" && !/^\s*identity\s*$/i.test(coding)) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent as it is, without a Content-Encoding.");
  }
  if (body === "none") return parseBody("", endpoint.body);
  const { latestBody } = endpoint;
  if (latestBody?.bytes.equals(body)) return latestBody.input;
  const bytes = Buffer.from(body);
  // Latin-1 text identifies the bytes as well as UTF-8 would, and is cheaper.
  const text = bytes.toString("latin1");
  const input =
    endpoint.bodies.get(text) ?? memorize(endpoint.bodies, text, parseBody(decodeBody(body), endpoint.body));
  if (bytes.length <= MAX_MEMORIZED_LENGTH) endpoint.latestBody = { bytes, input };
  return input;
}

/** Bounds of the memory of validated queries and bodies: how many texts, and how many characters of each. */
const MAX_MEMORIZED = 1_000;
const MAX_MEMORIZED_LENGTH = 4_096;

function memorize(memory: Map<string, Input<unknown>>, text: string, input: Input<unknown>): Input<unknown> {
  if (text.length > MAX_MEMORIZED_LENGTH) return input;
  if (memory.size >= MAX_MEMORIZED) memory.clear();
  memory.set(text, input);
  return input;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeBody(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError("VALIDATION_ERROR", NOT_JSON);
  }
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError("VALIDATION_ERROR", "the path is not valid percent-encoded UTF-8");
  }
}

/**
 * Parses a query string with a schema of parameters. Throws 400 VALIDATION_ERROR for repeated, undecodable or invalid
 * parameters; ignores unknown names but reports them.
 */
export function parseQuery<Shape extends z.ZodRawShape>(
  search: string,
  schema: z.ZodObject<Shape>,
): Input<z.output<z.ZodObject<Shape>>> {
  const values = new Map<string, string>();
  const unknown = new Set<string>();
  for (const part of search === "" ? [] : search.split("&")) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = decode(equals === -1 ? "" : part.slice(equals + 1));
    if (!Object.hasOwn(schema.shape, name)) {
      if (name === "format") refuseFormat(value);
      else refuseForeignName(name, schema.shape);
      unknown.add(name);
    } else if (values.has(name)) throw createRepeatedError(name, schema.shape[name]);
    else values.set(name, value);
  }
  return { value: validate(Object.fromEntries(values), schema), ignored: formatHeaderList(unknown) };
}

/** The first value of a parameter, even if the rest of the query string is not valid; null without one. */
export function findFirstValue(search: string, name: string): string | null {
  // Used for error answers too, so it must not throw; URLSearchParams reads any text.
  return new URLSearchParams(search).get(name);
}

export const NOT_JSON = "the body is not valid JSON in UTF-8";

/** Parses a JSON body with a schema. Throws 400 VALIDATION_ERROR; ignores unknown fields but reports them. */
export function parseBody<Schema extends z.ZodObject>(text: string, schema: Schema): Input<z.output<Schema>> {
  if (text.trim() === "") throw new ApiError("VALIDATION_ERROR", "the body is empty");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new ApiError("VALIDATION_ERROR", NOT_JSON);
  }
  if (parsed === null || typeof parsed !== "object" || Array.isArray(parsed)) {
    throw new ApiError("VALIDATION_ERROR", "the body must be a JSON object");
  }
  const unknown = new Set(Object.keys(parsed).filter((name) => !Object.hasOwn(schema.shape, name)));
  for (const name of unknown) refuseForeignName(name, schema.shape);
  return { value: validate(parsed, schema), ignored: formatHeaderList(unknown) };
}

/**
 * Validates values with a schema. Throws for the first invalid field: its own error code (see `refuseParam`), or else
 * 400 VALIDATION_ERROR.
 */
function validate<Schema extends z.ZodType>(values: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  // The place in a list says nothing that its sender does not see.
  const field = issue?.path.filter((part) => typeof part !== "number").join(".") ?? "";
  const missing = issue?.code === "invalid_type" && issue.input === undefined && issue.path.length === 1;
  const isMissing = missing && (values === null || typeof values !== "object" || !Object.hasOwn(values, field));
  const message = isMissing ? `${field} is required` : `${field} ${issue?.message ?? "is not valid"}`.trim();
  const refusal = issue?.code === "custom" ? (issue.params as Partial<Refusal> | undefined) : undefined;
  const code = refusal?.errorCode ?? "VALIDATION_ERROR";
  const details = [{ loc: ["query", field], msg: message, type: "value_error" }];
  throw new ApiError(code, message, code === UNPROCESSABLE ? { details } : refusal?.extra);
}

function createRepeatedError(name: string, parameter: unknown): ApiError {
  const refusal = repetitions.get(parameter as z.ZodType);
  return new ApiError(refusal?.errorCode ?? "VALIDATION_ERROR", `${name} must be given only once`, refusal?.extra);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.includes("+") ? text.replaceAll("+", " ") : text);
  } catch {
    throw new ApiError("VALIDATION_ERROR", "the query string is not valid percent-encoded UTF-8");
  }
}

/** Formats names from outside for a header: percent-encoded and bounded. */
function formatHeaderList(names: ReadonlySet<string>): string | null {
  if (names.size === 0) return null;
  return [...names]
    .slice(0, 20)
    .map((name) => encodeURIComponent(name.slice(0, 64).toWellFormed()))
    .join(", ");
}
