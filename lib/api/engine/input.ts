import { type Call, MAX_URL_LENGTH } from "@/lib/api/engine/call";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { type Input, NOT_JSON, readBody, readQuery } from "@/lib/api/engine/query";

/** Everything a caller has said, validated. Throws the ApiError of what is wrong first. */
export function readInput(call: Call, endpoint: Endpoint, segment: string) {
  if (call.path.length + call.search.length > MAX_URL_LENGTH) {
    throw new ApiError("URI_TOO_LONG", `The URL is longer than ${MAX_URL_LENGTH} characters.`);
  }
  const query = queryOf(call, endpoint);
  const body = bodyOf(call, endpoint);
  return {
    query: query.value,
    body: body.value,
    segment: segment === "" ? "" : decodeSegment(segment),
    ignored: body.ignored === null ? query.ignored : [query.ignored, body.ignored].filter(Boolean).join(", "),
  };
}

function queryOf({ search }: Call, endpoint: Endpoint): Input<unknown> {
  return endpoint.queries.get(search) ?? remember(endpoint.queries, search, readQuery(search, endpoint.query));
}

const NO_BODY: Input<null> = { value: null, ignored: null };

function bodyOf(call: Call, endpoint: Endpoint): Input<unknown> {
  if (endpoint.body === null) return NO_BODY;
  const { body } = call;
  const contentType = call.header("content-type") ?? "";
  if (body === "too_large") throw new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 64 KiB.");
  if (contentType !== "application/json" && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "The body must be sent as Content-Type: application/json.");
  }
  // Bytes read as Latin-1 are a key as good as the text they encode, and cheaper to have.
  const bytes = body === "none" ? "" : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  return endpoint.bodies.get(bytes) ?? remember(endpoint.bodies, bytes, readBody(decodeBody(body), endpoint.body));
}

/** Bounds on what is remembered of queries and bodies: how many texts, and how many characters of each. */
const MOST_REMEMBERED = 1_000;
const LONGEST_REMEMBERED = 4_096;

function remember(memory: Map<string, Input<unknown>>, text: string, input: Input<unknown>): Input<unknown> {
  if (text.length > LONGEST_REMEMBERED) return input;
  if (memory.size >= MOST_REMEMBERED) memory.clear();
  memory.set(text, input);
  return input;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeBody(body: Uint8Array | "none"): string {
  if (body === "none") return "";
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
