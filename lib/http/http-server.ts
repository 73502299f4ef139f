import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { findNetwork } from "@/lib/access/allow-list";
import { formatHeaders } from "@/lib/api/engine/answer-headers";
import { createRequestId, isTrustedProxy } from "@/lib/api/engine/client-address";
import { ApiError } from "@/lib/api/engine/errors";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { DirectConnections, type DirectHost } from "@/lib/http/direct-connections";
import { answerHealth, answerServerOptions, answerStarting, refuse, refuseExpectation } from "@/lib/http/own-answers";
import { canAnswerError, hasUnfinishedAnswer, limitPipelines } from "@/lib/http/pipelines";
import { readHead } from "@/lib/http/request-head";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log/log";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";
import { systemClock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

const DRAIN_MS = 8_000;

interface Options {
  readonly config: Pick<Config, "port" | "host" | "trustedProxies" | "connections">;
  readonly log: Logger;
  readonly names?: typeof NAMES;
  /** Shorter in tests. */
  readonly timeouts?: typeof TIMEOUTS | undefined;
}

/** How long a client may take for its headers, for the whole request, and to take any bytes of an answer. */
export const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, stalledMs: 30_000 };

/** The HTTP server before the API and the pages. It answers 503 until `serve` is called. */
export interface HttpServer {
  /** Binds the port. Rejects with a sentence for the operator. */
  listen(): Promise<void>;
  /** The bound port, which differs from the configured one if that is 0. */
  port(): number;
  /** Passes requests on from now on: simple ones to `direct`, if there is one. Their targets are paths. */
  serve(listener: RequestListener, direct?: DirectHost): void;
  /** Forwards WebSockets, in development only. */
  readonly server: Server;
  /** Answers `/ready` with 503 from now on, and closes each connection after its next answer. */
  announceStop(): void;
  /** Accepts no new connections, and lets the requests under way finish for a bounded time. */
  drain(): Promise<void>;
}

export function createHttpServer({ config, log, names = NAMES, timeouts = TIMEOUTS }: Options): HttpServer {
  let listener: RequestListener = answerStarting;
  let isStopping = false;
  const pipelines = limitPipelines((request, response) => {
    const reading = readHead(request);
    if (reading === "server options") answerServerOptions(response);
    else if (reading !== "path") refuse(request, response, "VALIDATION_ERROR", reading.fault);
    else if (!isStopping || !answerHealth("stopping", request, response)) listener(request, response);
  });
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: Math.min(2_000, timeouts.headersMs),
      // Its refusal would have no body.
      requireHostHeader: false,
    },
    pipelines.onRequest,
  );
  const direct = new DirectConnections(server, timeouts);
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  // An idle connection has the longer time of `keepAliveTimeout`.
  server.timeout = timeouts.stalledMs;
  server.on("timeout", (socket: Socket) => {
    // A client that waits for an answer is not at fault.
    if (socket.writableLength > 0 || !hasUnfinishedAnswer(socket)) socket.destroy();
  });
  server.on("clientError", refuseBadRequest);
  server.on("checkExpectation", refuseExpectation);
  const { total, perAddress } = config.connections;
  limitConnections(server, {
    total: Math.min(total, countAvailableConnections()),
    perAddress,
    proxies: config.trustedProxies,
    log,
  });
  return {
    server,
    listen: () => listen(server, config, names),
    port() {
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    },
    serve(next, host) {
      listener = next;
      direct.host = host ?? null;
    },
    announceStop() {
      isStopping = true;
      direct.isStopping = true;
      pipelines.closeAfterAnswers();
    },
    drain: () => drain(server, direct),
  };
}

function drain(server: Server, direct: DirectConnections): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const closeIdle = () => {
      server.closeIdleConnections();
      direct.close({ all: false });
    };
    const closeAll = () => {
      server.closeAllConnections();
      direct.close({ all: true });
    };
    const giveUp = setTimeout(closeAll, DRAIN_MS);
    // A kept-alive connection becomes idle only when its request is answered, so closing idle ones once is not enough.
    const idle = setInterval(closeIdle, 50);
    server.close(() => {
      clearTimeout(giveUp);
      clearInterval(idle);
      resolve();
    });
  });
}

/** The error that node:http reports for a request that it cannot parse. */
interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

/** How long a client has to read the error and to close its side. */
const LINGER_MS = 2_000;

/** Connections whose client has an error to read. */
const lingering = new WeakSet<Duplex>();

/**
 * Answers a request that node:http cannot parse (too long, broken, too slow) in the format of the API, and closes the
 * connection, because the rest of its bytes cannot be trusted.
 */
function refuseBadRequest(error: ParserError, socket: Duplex): void {
  // Each further part of the request is an error too. Ending here would take the first one from its reader.
  if (lingering.has(socket) && error.code !== "ECONNRESET") return;
  if (!socket.writable || error.code === "ECONNRESET" || !canAnswerError(socket as Socket)) {
    socket.destroy();
    return;
  }
  const refusal = describe(error);
  const body = refusal.body();
  const exchange = { key: null, requestId: createRequestId(), ignored: null, isKeyDayUsedUp: false };
  const headers = formatHeaders(exchange, systemClock());
  lingering.add(socket);
  // Ending closes one direction only, and a client may never close the other.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function describe(error: ParserError): ApiError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new ApiError("REQUEST_TIMEOUT", "The request was not completed in time.");
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    // The request line ends with the first line break: if none came, the URL caused the overflow.
    const urlTooLong = error.rawPacket !== undefined && !Buffer.from(error.rawPacket).includes("\r\n");
    return urlTooLong
      ? new ApiError("URI_TOO_LONG", "The URL is too long.")
      : new ApiError("HEADERS_TOO_LARGE", "The request's headers are too large.");
  }
  return new ApiError("VALIDATION_ERROR", "The request is not valid HTTP.");
}

/** The settings that name the address, for the messages of errors. */
const NAMES = { port: "PORT", host: "SPOTLINE_HOST" };

/** Binds the port. Rejects with a sentence for the operator. */
function listen(server: Server, { host, port }: Pick<Config, "host" | "port">, names: typeof NAMES): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new Error(explainListenError(error, host, port, names), { cause: error }));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function explainListenError(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  names: typeof NAMES,
): string {
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is in use by another program. Stop it, or set ${names.port} to a free port.`;
  if (code === "EACCES")
    return `Port ${port} needs privileges that this user does not have. Set ${names.port} to one above 1023.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `${names.host} is ${host}, which is not an address of this machine. Set it to 127.0.0.1, or to 0.0.0.0 for all its addresses.`;
  return `Port ${port} of ${host} cannot be opened: ${message}`;
}

/** File descriptors that are kept for the database, the pages, mail and files. */
const RESERVED_FILES = 128;

interface ConnectionOptions {
  /** How many connections may be open. */
  readonly total: number;
  /** How many of them one network address may have. */
  readonly perAddress: number;
  /** Proxies' addresses are those of all clients, so only `total` limits them. */
  readonly proxies: TrustedProxies;
  readonly log: Logger;
}

/** Closes connections above the limits at once. Logs this at most once a minute. */
function limitConnections(server: Server, { total, perAddress, proxies, log }: ConnectionOptions): void {
  let refused = 0;
  let reportedAtMs = -Infinity;
  const refuse = (reason: string) => {
    refused++;
    if (performance.now() - reportedAtMs < MINUTE_MS) return;
    reportedAtMs = performance.now();
    log.warn({ reason, refused }, "connections refused so far");
  };
  server.maxConnections = total;
  server.on("drop", () => refuse("SPOTLINE_MAX_CONNECTIONS"));
  // Without a free file descriptor no connection can be accepted. Without a listener the error would end the process.
  server.once("listening", () => server.on("error", ({ message }) => refuse(message)));
  const open = new Map<string, number>();
  const counted = new WeakSet<Socket>();
  server.on("connection", (socket) => {
    // One that requested an upgrade, which it did not get, comes again; see pipelines.ts.
    if (counted.has(socket)) return;
    counted.add(socket);
    if (isTrustedProxy(socket.remoteAddress, proxies)) return;
    const network = findNetwork(socket.remoteAddress ?? null);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      refuse("SPOTLINE_MAX_CONNECTIONS_PER_ADDRESS");
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once("close", () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/**
 * How many connections the process can have without running out of file descriptors. A request for a page needs two:
 * one to the client and one to the pages. Infinity where the system does not tell.
 */
export function countAvailableConnections(limits = readLimits()): number {
  const files = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return files === undefined ? Infinity : Math.max(1, Math.floor((Number(files) - RESERVED_FILES) / 2));
}

function readLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
