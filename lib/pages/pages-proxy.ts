import {
  Agent,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { isApiTarget } from "@/lib/api/api-target";
import { splitTarget } from "@/lib/api/engine/call";
import { findClientAddress, isTrustedProxy } from "@/lib/api/engine/client-address";
import { createUnknownPathError, SOCKET_PATH } from "@/lib/api/engine/unknown-path";
import { TARGET_HEADER } from "@/lib/api/next-host";
import { isProgram, refuse, writeError } from "@/lib/http/own-answers";
import type { PagesProcess } from "@/lib/pages/pages-process";
import type { Logger } from "@/lib/platform/log/log";
import type { TrustedProxies } from "@/lib/platform/settings/proxy-settings";
import { MINUTE_MS } from "@/lib/time/units";

/** A page that sends nothing for this long hangs. The streams of prices send something much more often. */
const SILENT_MS = MINUTE_MS;
/** More than the largest form. Next would collect the body of every request in memory before anything is checked. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Forwards requests for pages to the process that renders them. */
export function createPagesProxy(
  pages: Pick<PagesProcess, "socketPath" | "listening">,
  { trustedProxies, log }: { trustedProxies: TrustedProxies; log: Logger },
) {
  const agent = new Agent({ keepAlive: true });

  function forwardToPages(request: IncomingMessage, response: ServerResponse): void {
    // Where Next answers the API as well, the API refuses what it does not take.
    const maxBytes = isApiTarget(request.url ?? "/") ? Infinity : MAX_BODY_BYTES;
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return refuseBody(request, response);
    const options = {
      agent,
      socketPath: pages.socketPath,
      method: request.method,
      path: request.url,
      headers: replaceForwardedHeaders(request, trustedProxies),
    };
    const forwarded = forward(options, (answer) => {
      if (answer.statusCode === 404 && isProgram(request) && answer.headers["content-type"]?.startsWith("text/html")) {
        answer.resume();
        return writeError(request, response, createUnknownPathError(splitTarget(request.url ?? "/").path));
      }
      const headers = { ...answer.headers };
      // These belong to the connection to the pages, not to the browser's.
      removeConnectionHeaders(headers);
      delete headers["transfer-encoding"];
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    forwarded.setTimeout(SILENT_MS, () => forwarded.destroy(new Error("the page sent nothing in time")));
    forwarded.on("error", (error) => {
      // The browser has closed the connection, or was refused.
      if (response.destroyed || response.writableEnded) return;
      log.error({ err: error }, "page failed");
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" })
          .end("The dashboard is restarting.\n");
    });
    response.on("close", () => forwarded.destroy());
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes || response.headersSent) return;
      refuseBody(request, response);
    });
    request.pipe(forwarded);
  }

  /** Resolves when the pages answer requests, or after a bounded time: then forwarding fails, and the answer is 503. */
  async function waitForPages(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SILENT_MS)));
    await Promise.race([pages.listening(), late]);
    clearTimeout(timer);
  }

  return {
    request(request: IncomingMessage, response: ServerResponse): void {
      if (request.headers.upgrade?.toLowerCase() === "websocket") {
        return refuse(
          request,
          response,
          "NOT_FOUND",
          `There is no WebSocket at this address. That of prices is at ${SOCKET_PATH}.`,
        );
      }
      waitForPages()
        .then(() => response.destroyed || forwardToPages(request, response))
        .catch((error: unknown) => {
          // The HTTP client refuses some requests that the parser accepts, such as a control character in the path.
          log.warn({ err: error }, "request for a page refused");
          response.writeHead(400, { "Content-Type": "text/plain" }).end("The request is not valid.\n");
        });
    },
    /** Forwards the WebSocket over which the browser receives changed code; only in development. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      if (request.url?.startsWith("/_next/") !== true) {
        socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", () => socket.destroy());
        return;
      }
      const upstream = connect(pages.socketPath, () => {
        const lines = Object.entries(request.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
        upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("")}\r\n`);
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    },
  };
}

/** Answers a request whose body is too large. The rest of it is read and dropped, because clients send it first. */
function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  request.unpipe();
  request.resume();
  response.writeHead(413, { "Content-Type": "text/plain" }).end("The request is too large.\n");
}

/** Headers that belong to one connection. The others that `Connection` names are removed as well. */
const CONNECTION_HEADERS = ["connection", "keep-alive", "te", "trailer", "upgrade", "http2-settings", "expect"];

/** Removes what belongs to the connection on which a message came. `Transfer-Encoding` tells node:http to send chunks. */
function removeConnectionHeaders(headers: IncomingHttpHeaders): void {
  const named = headers.connection?.toLowerCase().split(/[\s,]+/) ?? [];
  for (const name of [...CONNECTION_HEADERS, ...named]) if (!BODY_HEADERS.has(name)) delete headers[name];
  for (const name of Object.keys(headers)) if (name.startsWith("proxy-")) delete headers[name];
}

/** Without these the length of the body is not known any more. */
const BODY_HEADERS = new Set(["transfer-encoding", "content-length"]);

/**
 * Replaces the headers that proxies set with trusted values, since Next and next-auth trust them. Host and protocol
 * remain only if a trusted proxy sent them.
 */
function replaceForwardedHeaders(request: IncomingMessage, trustedProxies: TrustedProxies): IncomingHttpHeaders {
  const headers = { ...request.headers };
  removeConnectionHeaders(headers);
  const address = findClientAddress(
    request.socket.remoteAddress,
    { forwardedFor: request.headers["x-forwarded-for"]?.toString(), forwarded: request.headers.forwarded },
    trustedProxies,
  );
  delete headers.forwarded;
  delete headers["x-real-ip"];
  delete headers["x-forwarded-port"];
  if (!isTrustedProxy(request.socket.remoteAddress, trustedProxies)) {
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
  }
  // "unknown" is not an address, so no allow-list contains it.
  headers["x-forwarded-for"] = address ?? "unknown";
  headers[TARGET_HEADER] = request.url ?? "/";
  return headers;
}
