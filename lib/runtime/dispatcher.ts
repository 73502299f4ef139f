import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { createOperatorTickets } from "@/lib/access/sign-in/tickets";
import { isApiTarget as isOfApi } from "@/lib/api/api-target";
import { splitTarget } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import { createUnknownPathError } from "@/lib/api/engine/unknown-path";
import type { DirectHost } from "@/lib/http/direct-connections";
import { isProgram, refuse, writeError } from "@/lib/http/own-answers";
import { readStatusData, STATUS_PATH } from "@/lib/pages/status-data";
import type { Logger } from "@/lib/platform/log/log";

/**
 * Passes a request to the API's host or to the pages. Pages take changes from pages of this site alone, so what a program
 * sends there is meant for an endpoint: the API says which.
 */
export function createDispatcher(
  answerCall: RequestListener,
  servePage: RequestListener,
  isApiTarget: (target: string) => boolean,
): RequestListener {
  return (request, response) => {
    if (isApiTarget(request.url ?? "/") || isChangeOfProgram(request)) answerCall(request, response);
    else servePage(request, response);
  };
}

function isChangeOfProgram(request: IncomingMessage): boolean {
  const { method = "GET", headers, url = "/" } = request;
  if (["GET", "HEAD", "OPTIONS"].includes(method) || isOfApi(url) || !isProgram(request)) return false;
  // Browsers send an origin with every change; in pages of other sites a program still sends its key.
  return headers.origin === undefined || headers["x-api-key"] !== undefined || headers.authorization !== undefined;
}

function refusePage(request: IncomingMessage, response: ServerResponse): void {
  if (isProgram(request)) writeError(request, response, createUnknownPathError(splitTarget(request.url ?? "/").path));
  else refuse(request, response, "NOT_FOUND", "This server has no pages: SPOTLINE_ROLES leaves them out.");
}

/** Answers no call while the prices of this process are too old. Its health is answered always. */
export function requireFresh(isStale: () => boolean, answerCall: RequestListener): RequestListener {
  return (request, response) => {
    if (isStale() && !isHealth(request)) writeError(request, response, STALE_PRICES);
    else answerCall(request, response);
  };
}

/** The same for calls that are answered without node:http: it gets those of the pages, and those that come too early. */
export function dispatchDirectly(
  host: DirectHost,
  { isStale }: { readonly isStale: () => boolean },
  isApiTarget: (target: string) => boolean,
): DirectHost {
  return (request) => (isApiTarget(request.url) && !isStale() ? host(request) : null);
}

/** Answers no call but what is pushed, and health, where a server leaves calls to others. */
export function refuseCalls(answerCall: RequestListener): RequestListener {
  return (request, response) => {
    if (isHealth(request) || request.url?.startsWith("/ingest/") === true) answerCall(request, response);
    else refuse(request, response, "NOT_FOUND", "This server answers no calls: SPOTLINE_ROLES leaves them out.");
  };
}

function isHealth({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/health") || url.startsWith("/ready");
}

type StatusParts = Parameters<typeof readStatusData>[0];

interface Parts extends StatusParts {
  readonly operatorTickets: Pick<ReturnType<typeof createOperatorTickets>, "admits">;
  readonly log: Logger;
}

/**
 * Answers in place of the pages where there are none: it tells the operator's commands the state of the server, and
 * refuses everything else, also a command without a valid ticket, as if nothing were there.
 */
export function createStatusHost(parts: Parts): RequestListener {
  return (request, response) => {
    const isStatus = request.method === "GET" && splitTarget(request.url ?? "/").path === STATUS_PATH;
    if (!isStatus || !parts.operatorTickets.admits(request.headers.authorization ?? null)) {
      return refusePage(request, response);
    }
    readStatusData(parts, { streams: 0, pages: null }).then(
      (data) => send(response, JSON.stringify(data)),
      (error: unknown) => {
        parts.log.error({ err: error }, "the status could not be read");
        writeError(request, response, new ApiError("INTERNAL_ERROR", "The status could not be read."));
      },
    );
  };
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "no-store" }).end(text);
}
