import { type Call, MAX_URL_LENGTH } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { type Input, NOT_JSON, parseBody, parseQuery } from "@/lib/api/engine/parse-input";

/** Reads and validates the query, the body and the path parameter of a call. Throws the ApiError of the first fault. */
export function readInput(call: Call, endpoint: Endpoint, segment: string) {
  if (call.path.length + call.search.length > MAX_URL_LENGTH) {
    throw new ApiError("URI_TOO_LONG", `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  }
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

const NO_BODY: Input<null> = { value: null, ignored: null };

function readBody(call: Call, endpoint: Endpoint): Input<unknown> {
  if (endpoint.body === null) return NO_BODY;
  const { body } = call;
  const contentType = call.header("content-type") ?? "";
  if (body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  if (contentType !== "application/json" && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent as Content-Type: application/json.");
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
