import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { isMcpPath } from "@/lib/api/api-target";
import type { Answer, FileBody } from "@/lib/api/engine/answer";
import {
  type Call,
  type CallBody,
  MAX_DRAINED_BYTES,
  mayHaveBody,
  parseHeaderLines,
  splitTarget,
} from "@/lib/api/engine/call";
import { findClientAddress, type ForwardingHeaders, isTrustedProxy } from "@/lib/api/engine/client-address";
import { findBodyLimit } from "@/lib/api/engine/exchange";
import { answerCall } from "@/lib/api/engine/pipeline";
import type { Services } from "@/lib/api/engine/services";
import { EXPORT_FILE_PATH } from "@/lib/api/history/export-jobs";
import { hasBody, writeHead } from "@/lib/api/http-head";
import { McpHost } from "@/lib/api/mcp/mcp-host";
import { matchPath } from "@/lib/api/registry";
import { sendEvents } from "@/lib/api/stream/event-reader";
import { stream } from "@/lib/api/stream/stream";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";

/** Answers the API over node:http. `Request` and `Response` objects would cost more than the whole pipeline. */
export function createNodeHost(services: Services, { trustedProxies }: { trustedProxies: TrustedProxies }) {
  const agents = new McpHost(services);
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (mayHaveBody(request.method)) {
      readBody(request, findLimit(request), (body) => serve(request, response, body));
    } else serve(request, response, "none");
  };

  function findLimit({ method = "", url = "/", rawHeaders }: IncomingMessage): number {
    return findBodyLimit(matchPath(splitTarget(url).path), method, (name) => findHeader(rawHeaders, name), services);
  }

  function serve(request: IncomingMessage, response: ServerResponse, body: CallBody): void {
    const call = new NodeCall(request, body, trustedProxies);
    const answer = isMcpPath(call.path) ? agents.answer(call) : answerCall(call, matchPath(call.path), services);
    if (!(answer instanceof Promise)) return send(call.method, response, answer);
    answer
      .then((value) => send(call.method, response, value))
      .catch((error: unknown) => {
        services.log.error({ err: error, path: call.path }, "an answer could not be sent");
        response.destroy();
      });
  }
}

/** What an answer without node:http has no way for. */
const NEEDS_NODE_HTTP: ReadonlySet<string> = new Set([stream.path, EXPORT_FILE_PATH]);

/**
 * Answers the API without node:http. Returns null for what needs it: unknown paths, streams, files, links with a token, and
 * bodies that are too long.
 */
export function createDirectHost(services: Services, { trustedProxies }: { trustedProxies: TrustedProxies }) {
  return (request: RequestHead & { readonly body: Buffer }): Answer | Promise<Answer> | null => {
    const { body, rawHeaders, method = "" } = request;
    const call = new NodeCall(request, body.length === 0 ? "none" : body, trustedProxies);
    const match = matchPath(call.path);
    if (match === null || NEEDS_NODE_HTTP.has(match.path) || match.link !== undefined) return null;
    if (body.length > findBodyLimit(match, method, (name) => findHeader(rawHeaders, name), services)) return null;
    return answerCall(call, match, services);
  };
}

function send(method: string, response: ServerResponse, answer: Answer): void {
  if (answer.stream !== undefined) sendEvents(response, answer.stream, answer);
  else if (answer.file !== undefined) sendFile(method, response, answer, answer.file);
  else writeAnswer(method, response, answer);
}

/** Sends a file as fast as its client reads. If it cannot be read to its end, the connection is cut. */
function sendFile(
  method: string,
  response: ServerResponse,
  { status, headers }: Answer,
  { path, start, end }: FileBody,
): void {
  for (const [name, value] of parseHeaderLines(headers)) response.setHeader(name, value);
  response.setHeader("Content-Length", end - start);
  response.writeHead(status);
  if (method === "HEAD") response.end();
  else pipeline(createReadStream(path, { start, end: end - 1 }), response, () => {});
}

/** What a call is made of: the same of a request that node:http has read and of one that it has not. */
export interface RequestHead extends Pick<IncomingMessage, "method" | "url"> {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly socket: Pick<Socket, "remoteAddress">;
}

/** A class, because an object with its own functions for each request costs more. */
export class NodeCall implements Call {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly callerId: string | undefined;
  readonly traceparent: string | undefined;
  readonly accept: string | undefined;
  readonly body: CallBody;
  readonly #request: RequestHead;
  readonly #proxies: TrustedProxies;
  /** Undefined until it is first read: a key's check and the log both read it. */
  #address: string | null | undefined;

  /** @param otherKey used if the request has no X-API-Key */
  constructor(request: RequestHead, body: CallBody, proxies: TrustedProxies, otherKey?: string) {
    const { path, search } = splitTarget(request.url ?? "/");
    this.method = request.method ?? "GET";
    this.path = path;
    this.search = search;
    let apiKey: string | undefined;
    let authorization: string | undefined;
    let callerId: string | undefined;
    let traceparent: string | undefined;
    let accept: string | undefined;
    // One walk over the headers finds all that every call may have: each one more would cost a tenth of a microsecond.
    const { rawHeaders } = request;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] as string;
      const value = rawHeaders[index + 1] as string;
      if (name.length === 9 && name.toLowerCase() === "x-api-key") apiKey = join(apiKey, value);
      else if (name.length === 12 && name.toLowerCase() === "x-request-id") callerId = join(callerId, value);
      else if (name.length === 11 && name.toLowerCase() === "traceparent") traceparent = join(traceparent, value);
      else if (name.length === 13 && name.toLowerCase() === "authorization") authorization = join(authorization, value);
      else if (name.length === 6 && name.toLowerCase() === "accept") accept = join(accept, value);
    }
    this.apiKey = apiKey ?? otherKey;
    this.authorization = authorization;
    this.callerId = callerId;
    this.traceparent = traceparent;
    this.accept = accept;
    this.body = body;
    this.#request = request;
    this.#proxies = proxies;
  }

  header(name: string): string | undefined {
    return findHeader(this.#request.rawHeaders, name);
  }

  address(): string | null {
    return (this.#address ??= this.#findAddress());
  }

  #findAddress(): string | null {
    const socketAddress = this.#request.socket.remoteAddress;
    const isForwarded = isTrustedProxy(socketAddress, this.#proxies);
    return findClientAddress(socketAddress, isForwarded ? this.#readForwarding() : NOT_FORWARDED, this.#proxies);
  }

  #readForwarding(): ForwardingHeaders {
    const forwardedFor = this.header("x-forwarded-for");
    return { forwardedFor, forwarded: forwardedFor === undefined ? this.header("forwarded") : undefined };
  }
}

const NOT_FORWARDED: ForwardingHeaders = { forwardedFor: undefined, forwarded: undefined };

/** Finds one header by its lower-case name, repeated ones joined. `request.headers` would parse all headers. */
function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index] as string;
    if (candidate.length !== name.length || candidate.toLowerCase() !== name) continue;
    value = join(value, rawHeaders[index + 1] as string);
  }
  return value;
}

/** Joins a repeated header's values. */
function join(values: string | undefined, value: string): string {
  return values === undefined ? value : `${values}, ${value}`;
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
export function writeAnswer(
  method: string | undefined,
  response: ServerResponse,
  { status, headers, body, isAscii }: Answer,
): void {
  const length = isAscii || typeof body !== "string" ? body.length : Buffer.byteLength(body);
  if (hasBody(status) && method !== "HEAD" && writeHead(response, status, headers, length)) {
    response.end(body, isAscii ? "latin1" : "utf8");
    return;
  }
  for (const [name, value] of parseHeaderLines(headers)) response.setHeader(name, value);
  if (hasBody(status)) response.setHeader("Content-Length", length);
  response.writeHead(status);
  if (method === "HEAD") response.end();
  else response.end(body);
}
