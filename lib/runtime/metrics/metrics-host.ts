import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { formatHeaderLine, splitTarget } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";
import { writeError } from "@/lib/http/own-answers";
import type { Logger } from "@/lib/platform/log/log";
import { createRegistry } from "@/lib/runtime/metrics/registry";
import { METRICS_PATH, type MetricsParts, type MetricsState, readState } from "@/lib/runtime/metrics/state";

interface Options {
  /** What a scrape must send; null where the port is protection enough. */
  readonly token: string | null;
  readonly log: Logger;
}

/** Answers scrapes. Those that come together share one reading. */
export function createMetricsHost(parts: MetricsParts, { token, log }: Options): RequestListener {
  let state: MetricsState | null = null;
  let running: Promise<string> | null = null;
  const registry = createRegistry(() => {
    if (state === null) throw new Error("The state is read before the registry.");
    return state;
  });

  async function scrape(): Promise<string> {
    state = await readState(parts);
    return registry.metrics();
  }

  return (request, response) => {
    const refusal = findRefusal(request, token);
    if (refusal !== null) return writeError(request, response, refusal);
    running ??= scrape().finally(() => (running = null));
    running.then(
      (text) => send(response, registry.contentType, request.method === "HEAD" ? "" : text),
      (error: unknown) => {
        log.error({ err: error }, "metrics could not be read");
        writeError(request, response, new ApiError("INTERNAL_ERROR", "The metrics could not be read."));
      },
    );
  };
}

function findRefusal({ url = "/", method = "", headers }: IncomingMessage, token: string | null): ApiError | null {
  if (splitTarget(url).path !== METRICS_PATH)
    return new ApiError("NOT_FOUND", `This port answers ${METRICS_PATH} only.`);
  if (token !== null && !isToken(headers.authorization, token)) {
    const challenge = formatHeaderLine("WWW-Authenticate", "Bearer");
    return new ApiError("INVALID_TOKEN", "Send the token of SPOTLINE_METRICS_TOKEN as a bearer token.", {}, challenge);
  }
  if (method === "GET" || method === "HEAD") return null;
  return new ApiError(
    "METHOD_NOT_ALLOWED",
    `${METRICS_PATH} answers GET, HEAD only.`,
    {},
    formatHeaderLine("Allow", "GET, HEAD"),
  );
}

/** Compares hashes, so that the time it takes shows nothing of the token. */
function isToken(header: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  return sent !== undefined && timingSafeEqual(hash(sent), hash(token));
}

const hash = (text: string) => createHash("sha256").update(text).digest();

function send(response: ServerResponse, contentType: string, text: string): void {
  response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" }).end(text);
}
