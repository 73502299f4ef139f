import type { RequestListener, ServerResponse } from "node:http";
import type { createOperatorTickets } from "@/lib/access/sign-in/tickets";
import { splitTarget } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { writeError } from "@/lib/http/own-answers";
import { readStatusData, STATUS_PATH } from "@/lib/pages/status-data";
import type { Logger } from "@/lib/platform/log/log";
import { refusePage } from "@/lib/runtime/dispatcher";

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
