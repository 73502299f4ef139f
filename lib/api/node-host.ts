import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Answer,
  type Call,
  type CallBody,
  MAX_DRAINED_BYTES,
  parseHeaderLines,
  splitTarget,
} from "@/lib/api/engine/call";
import { findClientAddress } from "@/lib/api/engine/client-address";
import { findBodyLimit } from "@/lib/api/engine/exchange";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { writeHead } from "@/lib/api/http-head";
import { matchPath } from "@/lib/api/registry";

/** Answers the API over node:http. `Request` and `Response` objects would cost more than the whole pipeline. */
export function createNodeHost(services: Services, options: { trustedProxies: number }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === "POST" || request.method === "PUT") {
      readBody(request, findLimit(request), (body) => serve(request, response, body));
    } else serve(request, response, "none");
  };

  function findLimit({ method = "", url = "/", rawHeaders }: IncomingMessage): number {
    return findBodyLimit(matchPath(splitTarget(url).path), method, (name) => findHeader(rawHeaders, name), services);
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: CallBody): void {
    const call = toCall(request, body, options.trustedProxies);
    const answer = answerCall(call, matchPath(call.path), services);
    if (answer instanceof Promise) void answer.then((value) => write(call, response, value));
    else write(call, response, answer);
  }
}

/** Whether the API answers a request target, rather than the pages: all of /v1, and the endpoints beside it. */
export function isApiTarget(url: string): boolean {
  if (url.startsWith("/v1")) return url.length === 3 || url[3] === "/" || url[3] === "?";
  return matchPath(splitTarget(url).path) !== null;
}

function toCall(request: IncomingMessage, body: CallBody, trustedProxies: number): Call {
  const { path, search } = splitTarget(request.url ?? "/");
  const { rawHeaders } = request;
  return {
    method: request.method ?? "GET",
    path,
    search,
    apiKey: findHeader(rawHeaders, "x-api-key"),
    body,
    header: (name) => findHeader(rawHeaders, name),
    address: () =>
      findClientAddress(request.socket.remoteAddress, findHeader(rawHeaders, "x-forwarded-for"), trustedProxies),
  };
}

/** Finds one header by its lower-case name, repeated ones joined. `request.headers` would parse all headers. */
function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const text = rawHeaders[index + 1] as string;
    value = value === undefined ? text : `${value}, ${text}`;
  }
  return value;
}

function readBody(request: IncomingMessage, limit: number, done: (body: CallBody) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks = [];
    if (size > MAX_DRAINED_BYTES) request.destroy();
  });
  request.on("end", () => {
    if (size > limit) done("too_large");
    else done(size === 0 ? "none" : Buffer.concat(chunks, size));
  });
}

/** Sends an answer. The usual one gets its whole head as text; node:http writes the head of all others. */
function write(call: Call, response: ServerResponse, { status, headers, body, isAscii }: Answer): void {
  const length = isAscii || typeof body !== "string" ? body.length : Buffer.byteLength(body);
  if (status === 200 && call.method !== "HEAD" && writeHead(response, headers, length)) {
    response.end(body, isAscii ? "latin1" : "utf8");
    return;
  }
  for (const [name, value] of parseHeaderLines(headers)) response.setHeader(name, value);
  if (status !== 304) response.setHeader("Content-Length", length);
  response.writeHead(status);
  if (call.method === "HEAD") response.end();
  else response.end(body);
}
