import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { STALE_PRICES } from "@/lib/api/engine/stale-prices";
import type { DirectHost } from "@/lib/http/direct-connections";
import { refuse, writeError } from "@/lib/http/own-answers";

/** Passes a request to the API's host or to the pages. */
export function createDispatcher(
  answerCall: RequestListener,
  servePage: RequestListener,
  isApiTarget: (target: string) => boolean,
): RequestListener {
  return (request, response) => {
    if (isApiTarget(request.url ?? "/")) answerCall(request, response);
    else servePage(request, response);
  };
}

export function refusePage(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response, "NOT_FOUND", "This server has no pages: SPOTLINE_ROLES leaves them out.");
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
