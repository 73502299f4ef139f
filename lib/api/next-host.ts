import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import {
  type Call,
  type CallBody,
  MAX_DRAINED_BYTES,
  mayHaveBody,
  parseHeaderLines,
  splitTarget,
} from "@/lib/api/engine/call";
import { findBodyLimit, type Match } from "@/lib/api/engine/exchange";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";

/** Carries the original request target, since Next rewrites it. */
export const TARGET_HEADER = "x-spotline-target";

/** What a Next route handler needs. */
export interface NextHostContext {
  readonly services: Services;
  /** Whether this process counts the calls. Otherwise every path is answered with 404, or each limit applied twice. */
  readonly answersCalls: boolean;
  /**
   * Whether our own server forwards the requests. It sets X-Forwarded-For and the target header; under a plain
   * `next start` both come from the client and cannot be trusted.
   */
  readonly behindOwnServer: boolean;
}

/** Answers a request to a Next route below which all paths belong to the API. */
export async function answerRequest(
  request: Request,
  findMatch: (path: string) => Match | null,
  context: NextHostContext,
): Promise<Response> {
  const { services, answersCalls, behindOwnServer } = context;
  const { pathname, search } = new URL(request.url);
  const ownTarget = behindOwnServer ? request.headers.get(TARGET_HEADER) : null;
  const target = splitTarget(ownTarget ?? pathname + search);
  const match = answersCalls ? findMatch(target.path) : null;
  // Next drops Content-Encoding from the answers of a route, so nothing may be sent encoded.
  const header = (name: string) => (name === "accept-encoding" ? undefined : (request.headers.get(name) ?? undefined));
  const call: Call = {
    method: request.method,
    ...target,
    apiKey: header("x-api-key"),
    authorization: header("authorization"),
    callerId: header("x-request-id"),
    traceparent: header("traceparent"),
    accept: header("accept"),
    body: await readBody(request, findBodyLimit(match, request.method, header, services)),
    header,
    address: () => (behindOwnServer ? request.headers.get("x-forwarded-for") : null),
  };
  const { status, headers, body, file } = await answerCall(call, match, services);
  const fields = parseHeaderLines(headers);
  const isEmpty = status === 304 || status === 204 || call.method === "HEAD";
  if (file === undefined) return new Response(isEmpty ? null : (body as BodyInit), { status, headers: fields });
  fields.push(["Content-Length", String(file.end - file.start)]);
  const content = isEmpty ? null : createReadStream(file.path, { start: file.start, end: file.end - 1 });
  return new Response(content && (Readable.toWeb(content) as ReadableStream), { status, headers: fields });
}

async function readBody(request: Request, limit: number): Promise<CallBody> {
  if (request.body === null || !mayHaveBody(request.method)) return "none";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size <= limit) chunks.push(chunk);
    if (size > MAX_DRAINED_BYTES) break;
  }
  if (size > limit) return "too_large";
  return size === 0 ? "none" : Buffer.concat(chunks, size);
}
