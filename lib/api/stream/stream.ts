import * as z from "zod";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { NO_LIMIT } from "@/lib/access/plans";
import { calendar } from "@/lib/api/calendar/calendar";
import type { Handled } from "@/lib/api/engine/answer";
import { createGapError } from "@/lib/api/engine/as-of";
import {
  requireAccess,
  requireCaller,
  requireConfirmedKeys,
  requireEntitlement,
  requireOrigin,
  requireValid,
} from "@/lib/api/engine/authorise";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, type Endpoint, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { refuseParam, symbolsParam, timeParam, wordParam } from "@/lib/api/engine/params";
import { findPublicUrl, type Services } from "@/lib/api/engine/services";
import { requireSymbols, selectPermitted } from "@/lib/api/engine/symbol-access";
import { requireAnyKept } from "@/lib/api/history/outside-retention";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { describePermitted, type PriceStream } from "@/lib/api/stream/price-stream";
import { Replay, type ReplayRange } from "@/lib/api/stream/replay";
import { createOptions, optionParams, type StreamOptions } from "@/lib/api/stream/stream-options";
import { readReleases } from "@/lib/calendar/event-rows";
import { readEnded } from "@/lib/history/gaps/gap-rows";
import { TICK_RESOLUTIONS } from "@/lib/history/tapes/kept-ticks";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { SECOND_MS } from "@/lib/time/units";

/** A stream of more symbols names none, or subscribes to them with several messages. */
export const MAX_STREAM_NAMES = 500;

const MAX_SPEED = 1_000_000;

const speedParam = z
  .string()
  .meta({ example: "max" })
  .transform((text, context) => {
    const speed = text === "max" ? Infinity : /^\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
    if (speed > 0 && (speed <= MAX_SPEED || speed === Infinity)) return speed;
    return refuseParam(context, "VALIDATION_ERROR", `must be max, or a number above 0 of at most ${MAX_SPEED}`);
  });

const query = z
  .object({
    symbols: symbolsParam(MAX_STREAM_NAMES).optional().meta({
      description:
        "Trading symbols, separated by commas; every symbol that the key may read when left out, also those that are added later.",
    }),
    ...optionParams,
    from: timeParam.optional().meta({
      description:
        "Begins with what was recorded from this second on, in the live format. It costs 3 credits, and as many for each " +
        "further minute until the stream is live; it needs the scope and the plan of /v1/ticks as well.",
    }),
    to: timeParam.optional().meta({
      description:
        "The end of the range, itself not in it. Left out or in the future, the stream becomes live at its end.",
    }),
    speed: speedParam.optional().meta({
      description:
        "Recorded seconds in each second, 1 for the pace of then; max, as fast as the client reads, by default.",
    }),
    resolution: wordParam(TICK_RESOLUTIONS, "VALIDATION_ERROR")
      .optional()
      .meta({
        description:
          "1s for the last price of each second, by default; tick for every tick of the symbols of which the server keeps " +
          "them, with its millisecond, in the order of receipt, and seconds of the others.",
      }),
  })
  .superRefine(({ from, to, speed, resolution }, context) => {
    if (from === undefined && (to !== undefined || speed !== undefined || resolution !== undefined))
      refuseParam(context, "VALIDATION_ERROR", "to, speed and resolution need from");
    if (from !== undefined && to !== undefined && toSecond(to) <= toSecond(from))
      refuseParam(context, "INVALID_RANGE", "to must be at least a second later than from");
  });
type Request = HandlerRequest<z.output<typeof query>, null>;

const definition = defineEndpoint({
  method: "GET",
  path: "/v1/stream",
  summary: "The current quotes of several symbols, then every change, as server-sent events.",
  description:
    "The event snapshot has all quotes and states, quote has the fields of GET /v1/quote, state tells when a quote " +
    "becomes delayed, stale or closed, heartbeat comes every ten seconds, and end has the reason of the end as an error. " +
    "With bars=1s, bar has the bar of a second, with the fields of a candle; with events, release has an event of " +
    "GET /v1/calendar whose figure was just released, for plans that include released figures; gap has lost time of a source. " +
    "With from, the stream begins with what was recorded, one price of each symbol a second or every tick, and continues " +
    "until to, with the event done, or becomes live, with the event live; both tell how much was sent. " +
    "The header Last-Event-ID continues a stream. The same prices come over a WebSocket at /ws/v1/quotes. The plan " +
    "limits the streams of a key and the symbols of a stream; each further minute counts as one call and one credit.",
  group: "Prices",
  access: "quotes",
  weight: 1,
  query,
  reply: z.string(),
  contentType: "text/event-stream",
  errors: [
    ...(["DATA_NOT_FOUND", "INVALID_DATETIME", "INVALID_RANGE", "PLAN_UPGRADE_REQUIRED"] as const),
    ...(["SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "TOO_MANY_STREAMS", "UPGRADE_REQUIRED"] as const),
  ],
  handle: (request) => openStream(request, null),
});

/** The endpoint that begins in the past: it needs what /v1/ticks needs, and costs as much. */
export const pastStream: Endpoint = {
  ...definition,
  ...{ weight: 3, entitlement: "ticks", needsEntitlement: () => true, otherScope: "historical" },
  ...{ queries: new Map(), bodies: new Map() },
};

export const stream: Endpoint = { ...definition, past: pastStream };

/** The same endpoint for a WebSocket, whose first messages may name the symbols. */
export const socketStream: Endpoint = {
  ...stream,
  handle: (request) => openStream(request as Request, []),
  past: { ...pastStream, handle: (request) => openStream(request as Request, []) },
};

function openStream(request: Request, symbolsByDefault: readonly string[] | null): Handled | Promise<Handled> {
  const { query, call, services } = request;
  const key = request.key as KeyEntry;
  const symbols =
    query.symbols === undefined
      ? (symbolsByDefault ?? {
          name: describePermitted(key),
          has: (symbol: string) => key.symbols?.has(symbol) ?? true,
        })
      : findSymbols(query.symbols, key, services);
  const count = "name" in symbols ? selectPermitted(key, services.instruments).length : symbols.length;
  requireSymbolCount(key, count, call, services);
  const options = createOptions(query);
  requireOptions(key, options, call, services);
  const contentType = "text/event-stream; charset=utf-8";
  const headers = "X-Accel-Buffering: no\r\n";
  if (call.method === "HEAD") return { body: "", contentType, headers };
  if (services.streams === null) {
    throw new ApiError("SERVICE_UNAVAILABLE", "This server keeps no connection open. Use the one that npm start runs.");
  }
  const { streams } = services;
  const open = (replay: Replay | null, more = "") =>
    mapMaybeAsync<void, Handled>(streams.reserve(key), () => ({
      ...{ body: "", contentType, headers: headers + more },
      stream: streams.admit({ key, call }, symbols, options, replay),
    }));
  const range = readRange(query, services);
  if (range === null) return open(null);
  const listed = selectPermitted(key, services.instruments).map(({ symbol }) => symbol);
  const names = "name" in symbols || symbols.length === 0 ? listed : symbols;
  return requireRecorded(range, names, services).then(() =>
    open(createReplay(range, services), formatHeaderLine("X-Data-Mode", "as-of")),
  );
}

/** Throws 404 DATA_NOT_FOUND if nothing was recorded in a range, or no ticks of which every one is wanted. */
async function requireRecorded({ from, to, resolution }: ReplayRange, symbols: readonly string[], { asOf }: Services) {
  const missing = await asOf.changes.find(from, to, symbols);
  if (missing !== null) throw createGapError(from * SECOND_MS, missing);
  if (resolution === "tick") requireAnyKept(symbols, await asOf.ticks.readKept(from, to, symbols));
}

const toSecond = (ms: number) => Math.floor(ms / SECOND_MS);

/** The range of the past; null without one. Throws 400 INVALID_DATETIME if it begins in the future. */
function readRange(
  { from, to, speed = Infinity, resolution = "1s" }: Request["query"],
  { marketNow }: Services,
): ReplayRange | null {
  if (from === undefined) return null;
  const nowMs = marketNow();
  if (from > nowMs)
    throw new ApiError("INVALID_DATETIME", "from must not be in the future: nothing is recorded of it yet.");
  return { from: toSecond(from), to: to === undefined || to > nowMs ? Infinity : toSecond(to), speed, resolution };
}

function createReplay(range: ReplayRange, { asOf, database, log, marketNow }: Services): Replay {
  const { from, to, resolution } = range;
  return new Replay({
    ...{ range, past: resolution === "tick" ? asOf.ticks : asOf.changes },
    ...{ listSources: () => asOf.listSources(), marketNow, monotonic: monotonicClock, log },
    async readNotKept(symbols) {
      const kept = await asOf.ticks.readKept(from, to, symbols);
      requireAnyKept(symbols, kept);
      return kept.notKept;
    },
    readReleases: (...span) => readReleases(database.pool, ...span),
    readGaps: (...span) => readEnded(database.pool, ...span),
  });
}

/** Finds the canonical symbols of some spellings, each once. Throws like `findPermitted`. */
export function findSymbols(
  spellings: readonly string[],
  key: KeyEntry,
  { resolver }: Pick<Request["services"], "resolver">,
): string[] {
  return [...new Set(spellings.map((spelling) => findPermitted(spelling, key, resolver).symbol))];
}

/** Throws 403 PLAN_UPGRADE_REQUIRED if the plan of the key does not allow a stream of so many symbols. */
export function requireSymbolCount(key: KeyEntry, count: number, call: Call, services: Services): void {
  const { name, streamSymbols } = key.entitlements;
  if (count <= streamSymbols) return;
  const whose = name === "tool" ? "of a tool key" : `on the plan "${name}"`;
  throw new ApiError(
    "PLAN_UPGRADE_REQUIRED",
    `A stream ${whose} may have ${streamSymbols} symbols, not ${count}. Name fewer in "symbols".`,
    { current_plan: name, limit: streamSymbols, upgrade_url: `${findPublicUrl(call, services)}/plan` },
  );
}

/**
 * Throws 404 for a source that does not exist, and 403 unless the key may read what the options add: the releases of the
 * calendar need what GET /v1/calendar needs, and a plan with released figures.
 */
function requireOptions(key: KeyEntry, options: StreamOptions, call: Call, services: Services): void {
  const { sources, events } = options;
  for (const name of sources === null || sources === "all" ? [] : sources) {
    if (!services.book.hasSource(name)) throw new ApiError("SOURCE_NOT_FOUND", `There is no source named ${name}.`);
  }
  if (events !== null) requireReleases(key, call, services);
}

function requireReleases(key: KeyEntry, call: Call, services: Services): void {
  if (key.endpoints !== null && !key.endpoints.has(calendar.path))
    throw new ApiError("PERMISSION_DENIED", `This API key may not call ${calendar.path}, which has the releases.`);
  requireEntitlement(key, "calendar", call, services);
  requireEntitlement(key, "actuals", call, services);
}

/** 429 TOO_MANY_STREAMS: the key has as many open streams as its plan allows. */
export function createStreamsError({ entitlements: { name, streams } }: KeyEntry): ApiError {
  const many = streams >= NO_LIMIT ? "no more open streams" : `${streams} open stream${streams === 1 ? "" : "s"}`;
  const whose = name === "tool" ? "A tool key" : `A key of the plan "${name}"`;
  const seconds = 60;
  return new ApiError(
    "TOO_MANY_STREAMS",
    `${whose} may have ${many}. Close one before you open another.`,
    { limit: streams, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** Returns the error with which a stream must end, because its key or account may not have it any more; null if it may. */
export function findRefusal(stream: PriceStream, endpoint: Endpoint, services: Services): ApiError | null {
  const { key, call } = stream.owner;
  const nowMs = services.now();
  try {
    requireConfirmedKeys(services, nowMs);
    requireValid(key, nowMs);
    requireCaller(key, call.address());
    requireOrigin(key, call);
    requireAccess({ call, services }, key, endpoint);
    requireSymbols(key, stream.symbols);
    requireSymbolCount(key, stream.symbols.length, call, services);
    if (stream.options.events !== null) requireReleases(key, call, services);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  if (stream.permitted === describePermitted(key)) return null;
  return new ApiError("PERMISSION_DENIED", "The symbols that this API key may read have changed. Connect again.");
}
