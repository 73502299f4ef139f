import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import { defineEndpoint, type Handled, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { symbolsParam } from "@/lib/api/engine/params";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { requireOptions, requireSymbolCount } from "@/lib/api/stream/stream-access";
import { createOptions, optionParams } from "@/lib/api/stream/stream-options";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";

/** More names than there are instruments. */
export const MAX_STREAM_NAMES = 500;

const query = z.object({
  symbols: symbolsParam(MAX_STREAM_NAMES).optional().meta({
    description: "Trading symbols, separated by commas; every symbol that the key may read when left out.",
  }),
  ...optionParams,
});
type Request = HandlerRequest<z.output<typeof query>, null>;

export const stream = defineEndpoint({
  method: "GET",
  path: "/v1/stream",
  summary: "The current quotes of several symbols, then every change, as server-sent events.",
  description:
    "The event snapshot has all quotes and states, quote has the fields of GET /v1/quote, state tells when a quote " +
    "becomes delayed, stale or closed, heartbeat comes every ten seconds, and end has the reason of the end as an error. " +
    "With bars=1s, bar has the bar of a second, with the fields of a candle; with events, release has an event of " +
    "GET /v1/calendar whose figure was just released, for plans that include released figures. " +
    "The header Last-Event-ID continues a stream. The same prices come over a WebSocket at /ws/v1/quotes. The plan " +
    "limits the streams of a key and the symbols of a stream; each further minute counts as one call and one credit.",
  access: "key",
  weight: 1,
  query,
  reply: z.string(),
  contentType: "text/event-stream",
  errors: ["PLAN_UPGRADE_REQUIRED", "SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "TOO_MANY_STREAMS"],
  handle: (request) => openStream(request, null),
});

/** The same endpoint for a WebSocket, whose first messages may name the symbols. */
export const socketStream: Endpoint = {
  ...stream,
  handle: (request) => openStream(request as Request, []),
};

function openStream(request: Request, symbolsByDefault: readonly string[] | null): Handled | Promise<Handled> {
  const { query, call, services } = request;
  const key = request.key as KeyEntry;
  const symbols =
    query.symbols === undefined
      ? (symbolsByDefault ?? selectPermitted(key, services.instruments).map(({ symbol }) => symbol))
      : findSymbols(query.symbols, key, services);
  requireSymbolCount(key, symbols.length, call, services);
  requireKnownNames(call.search);
  const options = createOptions(query);
  requireOptions(key, options, call, services);
  const contentType = "text/event-stream; charset=utf-8";
  const headers = "X-Accel-Buffering: no\r\n";
  if (call.method === "HEAD") return { body: "", contentType, headers };
  if (services.streams === null) {
    throw new ApiError("SERVICE_UNAVAILABLE", "This server keeps no connection open. Use the one that npm start runs.");
  }
  const { streams } = services;
  return mapMaybeAsync<void, Handled>(streams.reserve(key), () => ({
    ...{ body: "", contentType, headers },
    stream: streams.admit({ key, call }, symbols, options),
  }));
}

/** Throws 400 for a name that a stream does not have: nobody reads in its head that it was ignored. */
function requireKnownNames(search: string): void {
  const unknown = [...new URLSearchParams(search).keys()].find((name) => !Object.hasOwn(query.shape, name));
  if (unknown === undefined) return;
  const names = Object.keys(query.shape).join(", ");
  throw new ApiError("VALIDATION_ERROR", `A stream has no parameter "${unknown.slice(0, 64)}", only ${names}.`);
}

/** Finds the canonical symbols of some spellings, each once. Throws like `findPermitted`. */
export function findSymbols(
  spellings: readonly string[],
  key: KeyEntry,
  { resolver }: Pick<Request["services"], "resolver">,
): string[] {
  return [...new Set(spellings.map((spelling) => findPermitted(spelling, key, resolver).symbol))];
}
