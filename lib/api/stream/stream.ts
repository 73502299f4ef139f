import { z } from "zod";
import type { KeyEntry } from "@/lib/access/admission/entries";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { defineEndpoint, type Handled, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { symbolsParam } from "@/lib/api/engine/params";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { requireSymbolCount } from "@/lib/api/stream/stream-access";

/** More names than there are instruments. */
export const MAX_STREAM_NAMES = 500;

const query = z.object({
  symbols: symbolsParam(MAX_STREAM_NAMES).optional().meta({
    description: "Trading symbols, separated by commas; every symbol that the key may read when left out.",
  }),
});
type Request = HandlerRequest<z.output<typeof query>, null>;

export const stream = defineEndpoint({
  method: "GET",
  path: "/v1/stream",
  summary: "The current quotes of several symbols, then every change, as server-sent events.",
  description:
    "The event snapshot has all quotes and states, quote has the fields of GET /v1/quote, state tells when a quote " +
    "becomes delayed, stale or closed, heartbeat comes every ten seconds, and end has the reason of the end as an error. " +
    "The header Last-Event-ID continues a stream. The same prices come over a WebSocket at /ws/v1/quotes. The plan " +
    "limits the streams of a key and the symbols of a stream; each further minute counts as one call and one credit.",
  access: "key",
  weight: 1,
  query,
  reply: z.string(),
  contentType: "text/event-stream",
  errors: ["PLAN_UPGRADE_REQUIRED", "SYMBOL_NOT_FOUND", "TOO_MANY_STREAMS"],
  handle: (request) => openStream(request, null),
});

/** The same endpoint for a WebSocket, whose first messages may name the symbols. */
export const socketStream: Endpoint = {
  ...stream,
  handle: (request) => openStream(request as Request, []),
};

function openStream(request: Request, symbolsByDefault: readonly string[] | null): Handled {
  const { query, call, services } = request;
  const key = request.key as KeyEntry;
  const symbols =
    query.symbols === undefined
      ? (symbolsByDefault ?? selectPermitted(key, services.instruments).map(({ symbol }) => symbol))
      : findSymbols(query.symbols, key, services);
  requireSymbolCount(key, symbols.length, call, services);
  const contentType = "text/event-stream; charset=utf-8";
  const headers = "X-Accel-Buffering: no\r\n";
  if (call.method === "HEAD") return { body: "", contentType, headers };
  if (services.streams === null) {
    throw new ApiError("SERVICE_UNAVAILABLE", "This server keeps no connection open. Use the one that npm start runs.");
  }
  return { body: "", contentType, headers, stream: services.streams.admit({ key, call }, symbols) };
}

/** Finds the canonical symbols of some spellings, each once. Throws like `findPermitted`. */
export function findSymbols(
  spellings: readonly string[],
  key: KeyEntry,
  { resolver }: Pick<Request["services"], "resolver">,
): string[] {
  return [...new Set(spellings.map((spelling) => findPermitted(spelling, key, resolver).symbol))];
}
