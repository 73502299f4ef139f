import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { formatHeaders } from "@/lib/api/engine/answer-headers";
import { createRequestId } from "@/lib/api/engine/client-address";
import { canAnswerError } from "@/lib/http/pipelines";
import { systemClock } from "@/lib/platform/timing/clock";

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
export function refuseBadRequest(error: ParserError, socket: Duplex): void {
  // Each further part of the request is an error too. Ending here would take the first one from its reader.
  if (lingering.has(socket) && error.code !== "ECONNRESET") return;
  if (!socket.writable || error.code === "ECONNRESET" || !canAnswerError(socket as Socket)) {
    socket.destroy();
    return;
  }
  const [status, reason, code, message] = describe(error);
  const body = JSON.stringify({ success: false, error: { code, message } });
  const exchange = { key: null, requestId: createRequestId(), ignored: null, isKeyDayUsedUp: false };
  const headers = formatHeaders(exchange, systemClock());
  lingering.add(socket);
  // Ending closes one direction only, and a client may never close the other.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function describe(error: ParserError): [number, string, string, string] {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return [408, "Request Timeout", "REQUEST_TIMEOUT", "The request was not completed in time."];
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    // The request line ends with the first line break: if none came, the URL caused the overflow.
    const urlTooLong = error.rawPacket !== undefined && !Buffer.from(error.rawPacket).includes("\r\n");
    return urlTooLong
      ? [414, "URI Too Long", "URI_TOO_LONG", "The URL is too long."]
      : [431, "Request Header Fields Too Large", "HEADERS_TOO_LARGE", "The request's headers are too large."];
  }
  return [400, "Bad Request", "VALIDATION_ERROR", "The request is not valid HTTP."];
}
