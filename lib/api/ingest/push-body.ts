import { createHash, timingSafeEqual } from "node:crypto";
import type * as z from "zod";
import type { Call } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";

/** What the endpoints for pushes have in common: the tokens, and the checks of a body. */

const HEADER = "x-ingest-token";

/** Whether a call has the installation's own token. Compares hashes in constant time. */
export function hasOwnToken(header: Call["header"], { ingestToken }: Services): boolean {
  if (ingestToken === null) return false;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header(HEADER) ?? ""), hash(ingestToken));
}

/** The token of a terminal that a call has, or null. */
export function findTerminal(header: Call["header"], { terminals }: Services) {
  const secret = header(HEADER);
  return secret === undefined ? null : (terminals?.findToken(secret) ?? null);
}

/** Checks a body of at most `maxBytes`. Throws an ApiError that names the first wrong field. */
export function readPushBody<Shape extends z.ZodType>(
  call: Call,
  schema: Shape,
  { maxBytes, decode }: { readonly maxBytes: number; readonly decode: (body: Uint8Array) => string },
): z.output<Shape> {
  const { body } = call;
  const length = Number(call.header("content-length") ?? Infinity);
  if (length > maxBytes || body === "too_large") {
    throw new ApiError("PAYLOAD_TOO_LARGE", `A push has a Content-Length of at most ${maxBytes} bytes.`);
  }
  const push = schema.safeParse(body === "none" ? null : parseJson(decode(body)));
  if (push.success) return push.data;
  const issue = push.error.issues[0];
  throw new ApiError("VALIDATION_ERROR", `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim());
}

/** Parses a text as JSON; null if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
