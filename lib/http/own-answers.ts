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
  const error = { code: "EXPECTATION_FAILED", message: "The only value of Expect that is met is 100-continue." };
  write(request, response, 417, JSON.stringify({ success: false, error }));
}

/** Answers `OPTIONS *`, which asks for the methods of the server as a whole. */
export function answerServerOptions(response: ServerResponse): void {
  const headers = formatHeaderLine("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
  writeAnswer("OPTIONS", response, { status: 204, headers, body: "", isAscii: true });
}

export function writeError(request: IncomingMessage, response: ServerResponse, error: ApiError): void {
  write(request, response, error.status, error.body(), error.headers);
}

function write(request: IncomingMessage, response: ServerResponse, status: number, body: string, extra = ""): void {
  const call = splitTarget(request.url ?? "/");
  const exchange = { call, key: null, requestId: createRequestId(), ignored: null, isKeyDayUsedUp: false };
  const headers = formatHeaders(exchange, systemClock(), extra);
  writeAnswer(request.method, response, { status, headers, body, isAscii: false });
}
