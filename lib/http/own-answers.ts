import type { IncomingMessage, ServerResponse } from "node:http";
import type * as z from "zod";
import { formatHeaders } from "@/lib/api/engine/answer-headers";
import { formatHeaderLine, splitTarget } from "@/lib/api/engine/call";
import { createRequestId } from "@/lib/api/engine/client-address";
import { ApiError, type ErrorCode } from "@/lib/api/engine/errors";
import { writeAnswer } from "@/lib/api/node-host";
import type { healthReply } from "@/lib/api/service/health";
import { systemClock } from "@/lib/platform/timing/clock";

/** Answers of the HTTP server itself, in the format of the API. */

const RETRY_AFTER_S = 2;

/** The reason why the server does not do its work: a component of `/health` and `/ready`. */
export type Unavailability = "starting" | "stopping";

/** Answers any request while the server starts. */
export function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  if (answerHealth("starting", request, response)) return;
  const retry = formatHeaderLine("Retry-After", RETRY_AFTER_S);
  writeError(request, response, new ApiError("SERVICE_UNAVAILABLE", "The server is starting.", {}, retry));
}

/** Answers `/ready` with 503 and `/health` with 200. Returns false for any other request, without an answer. */
export function answerHealth(reason: Unavailability, request: IncomingMessage, response: ServerResponse): boolean {
  const { path } = splitTarget(request.url ?? "/");
  if (path !== "/ready" && path !== "/health") return false;
  const reply: z.infer<typeof healthReply> = { status: "down", components: { [reason]: { status: "down" } } };
  write(request, response, path === "/ready" ? 503 : 200, JSON.stringify(reply));
  return true;
}

/** Refuses a request and closes its connection, after the answers before it. */
export function refuse(request: IncomingMessage, response: ServerResponse, code: ErrorCode, message: string): void {
  response.shouldKeepAlive = false;
  writeError(request, response, new ApiError(code, message));
}

/** Refuses a request whose header Expect has anything but 100-continue. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
  writeError(
    request,
    response,
    new ApiError("EXPECTATION_FAILED", "The only value of Expect that is met is 100-continue."),
  );
}

/** Answers `OPTIONS *`, which asks for the methods of the server as a whole. */
export function answerServerOptions(response: ServerResponse): void {
  const headers = formatHeaderLine("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  writeAnswer("OPTIONS", response, { status: 204, headers, body: "", isAscii: true });
}

/**
 * Whether a program sent a request, rather than a browser for a page or for a part of one: it takes no HTML. What pages of
 * this site request in a browser has other signs.
 */
export function isProgram({ headers }: Pick<IncomingMessage, "headers">): boolean {
  if (headers.accept?.toLowerCase().includes("text/html") === true) return false;
  return headers["next-action"] === undefined && headers.rsc === undefined;
}

export function writeError(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  write(request, response, error.status, error.body(), error.headers);
}

function write(request: IncomingMessage, response: ServerResponse, status: number, body: string, extra = ""): void {
  const exchange = { key: null, requestId: createRequestId(), ignored: null, isKeyDayUsedUp: false };
  const headers = formatHeaders(exchange, systemClock(), extra);
  writeAnswer(request.method, response, { status, headers, body, isAscii: false });
}
