import type { IncomingMessage, ServerResponse } from "node:http";
import { answerCall } from "@/lib/api/pipeline";
import { clientAddress } from "@/lib/api/client-address";
import { matchPath } from "@/lib/api/registry";
import { MAX_BODY_BYTES, MAX_DRAINED_BYTES, splitTarget, type Answer, type Call, type CallBody } from "@/lib/api/call";
import type { Services } from "@/lib/api/services";

/**
 * Carries `/v1` over node:http without a `Request` or a `Response` in between: on this path those objects cost more
 * than everything the pipeline does.
 */
export function createNodeHost(services: Services, options: { trustedProxies: number }) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === "POST" || request.method === "PUT") {
      readBody(request, (body) => serve(request, response, body));
    } else serve(request, response, "none");
  };

  function serve(request: IncomingMessage, response: ServerResponse, body: CallBody): void {
    const call = toCall(request, body, options.trustedProxies);
    const answer = answerCall(call, matchPath(call.path), services);
    if (answer instanceof Promise) void answer.then((value) => write(call, response, value));
    else write(call, response, answer);
  }
}

/** Whether a request target belongs to the API rather than to the pages. */
export function isApiTarget(url: string): boolean {
  if (url.startsWith("/v1")) return url.length === 3 || url[3] === "/" || url[3] === "?";
  return /^\/(health|ready)(\?|$)/.test(url);
}

function toCall(request: IncomingMessage, body: CallBody, trustedProxies: number): Call {
  const { path, search } = splitTarget(request.url ?? "/");
  const { rawHeaders } = request;
  return {
    method: request.method ?? "GET",
    path,
    search,
    apiKey: headerOf(rawHeaders, "x-api-key"),
    contentType: request.method === "GET" ? undefined : headerOf(rawHeaders, "content-type"),
    ifNoneMatch: headerOf(rawHeaders, "if-none-match"),
    body,
    address: () => clientAddress(request.socket.remoteAddress, headerOf(rawHeaders, "x-forwarded-for"), trustedProxies),
  };
}

/** One header by its lower-case name, repeated ones joined; `request.headers` would parse all of them for it. */
function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    const text = rawHeaders[index + 1] as string;
    value = value === undefined ? text : `${value}, ${text}`;
  }
  return value;
}

function readBody(request: IncomingMessage, done: (body: CallBody) => void): void {
  let chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks = [];
    if (size > MAX_DRAINED_BYTES) request.destroy();
  });
  request.on("end", () => {
    if (size > MAX_BODY_BYTES) done("too_large");
    else done(size === 0 ? "none" : Buffer.concat(chunks, size));
  });
}

function write(call: Call, response: ServerResponse, answer: Answer): void {
  const { status, headers, body, isAscii } = answer;
  const isCounted = isAscii || typeof body !== "string";
  if (status !== 304) headers.push("Content-Length", String(isCounted ? body.length : Buffer.byteLength(body)));
  response.writeHead(status, headers);
  if (call.method === "HEAD") response.end();
  else response.end(body, isAscii ? "latin1" : "utf8");
}
