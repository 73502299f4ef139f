import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { findClientAddress } from "@/lib/api/engine/client-address";
import { TARGET_HEADER } from "@/lib/api/next-host";
import type { PagesProcess } from "@/lib/pages/pages-process";
import type { Logger } from "@/lib/platform/log";

/** Forwards requests for pages to the process that renders them. */
export function createPagesProxy(
  pages: PagesProcess,
  { trustedProxies, log }: { trustedProxies: number; log: Logger },
) {
  const agent = new Agent({ keepAlive: true });

  function forwardToPages(request: IncomingMessage, response: ServerResponse): void {
    const options = {
      agent,
      socketPath: pages.socketPath,
      method: request.method,
      path: request.url,
      headers: replaceForwardedHeaders(request, trustedProxies),
    };
    const forwarded = forward(options, (answer) => {
      const headers = { ...answer.headers };
      // These belong to the connection to the pages, not to the browser's.
      for (const name of ["connection", "keep-alive", "transfer-encoding"]) delete headers[name];
      response.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    forwarded.on("error", (error) => {
      // The browser has closed the connection.
      if (response.destroyed) return;
      log.error({ err: error }, "page failed");
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" })
          .end("The dashboard is restarting.\n");
    });
    response.on("close", () => forwarded.destroy());
    request.pipe(forwarded);
  }

  return {
    request(request: IncomingMessage, response: ServerResponse): void {
      pages
        .listening()
        .then(() => forwardToPages(request, response))
        .catch((error: unknown) => {
          // The HTTP client refuses some requests that the parser accepts, such as a control character in the path.
          log.warn({ err: error }, "request for a page refused");
          response.writeHead(400, { "Content-Type": "text/plain" }).end("The request is not valid.\n");
        });
    },
    /** Forwards the WebSocket over which the browser receives changed code; only in development. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
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

/**
 * Replaces the headers that proxies set with trusted values, since Next and next-auth trust them. Host and protocol
 * remain only if a trusted proxy is configured.
 */
function replaceForwardedHeaders(request: IncomingMessage, trustedProxies: number): IncomingHttpHeaders {
  const headers = { ...request.headers };
  const address = findClientAddress(
    request.socket.remoteAddress,
    headers["x-forwarded-for"]?.toString(),
    trustedProxies,
  );
  delete headers.forwarded;
  delete headers["x-real-ip"];
  delete headers["x-forwarded-port"];
  if (trustedProxies === 0) {
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
  }
  // "unknown" is not an address, so no allow-list contains it.
  headers["x-forwarded-for"] = address ?? "unknown";
  headers[TARGET_HEADER] = request.url ?? "/";
  return headers;
}
