import type { KeyEntry } from "@/lib/access/admission/directory";
import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import type { Handled } from "@/lib/api/engine/answer";
import { type Call, formatHeaderLine } from "@/lib/api/engine/call";
import type { AsOfReading, Endpoint, HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeByIdentity } from "@/lib/api/engine/etag";
import { findFirstValue } from "@/lib/api/engine/input";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols, selectPermitted } from "@/lib/api/engine/symbol-access";
import { readPastCalendar } from "@/lib/calendar/past-calendar";
import type { PastHistory } from "@/lib/history/as-of/as-of";
import type { NotRecorded } from "@/lib/history/as-of/past-changes";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatTime } from "@/lib/time/iso-time";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The parameter at: a call is answered as it would have been at a second of the past. The handler is the same. It gets
 * services whose clock, book and history are those of that second.
 */

/** What may be the name of the parameter, also in an encoded spelling. Reading the query of each call would be slower. */
const MAY_BE_AT = /(?:^|&)(?:at(?:[=&]|$)|[^=&]*%)/;

/** The endpoint of a call: another one if it names a moment of the past. */
export function chooseEndpoint(endpoint: Endpoint, { search }: Pick<Call, "search">): Endpoint {
  const { asOf, past } = endpoint;
  if (past !== undefined && findFirstValue(search, "from") !== null) return past;
  if (asOf === null || !MAY_BE_AT.test(search) || findFirstValue(search, "at") === null) return endpoint;
  return createPastEndpoint(endpoint, asOf);
}

/** The headers of answers of the past. */
export const AS_OF_HEADERS = ["X-Data-Mode", "X-As-Of", "X-As-Of-Resolution"] as const;

/** The endpoint that answers with at: it needs what /v1/ticks needs, and costs as much. */
const createPastEndpoint = memoizeByIdentity((endpoint: Endpoint, reading: AsOfReading): Endpoint => {
  return {
    ...endpoint,
    ...{ weight: 3, entitlement: "ticks", needsEntitlement: () => true, otherScope: "historical" },
    ...{ queries: new Map(), bodies: new Map(), latestBody: null, asOf: null },
    handle: async (request) => {
      const { services } = request;
      const { at: momentMs } = request.query as { readonly at: number };
      if (momentMs > services.marketNow()) {
        throw new ApiError("INVALID_DATETIME", "at must not be in the future: nothing is recorded of it yet.");
      }
      const atMs = Math.floor(momentMs / SECOND_MS) * SECOND_MS;
      const past = await openPast(atMs, reading, request);
      // Handlers keep answers by the identity of their query, for the history and the calendar of now.
      const query = { ...(request.query as object) };
      try {
        const handled = await endpoint.handle({ ...request, query, services: past.services });
        return { ...handled, headers: formatHeaders(handled, atMs, past.resolution) };
      } catch (error) {
        throw await explainMissing(error, atMs, reading, { ...request, services: past.services });
      }
    },
  };
});

interface Past {
  readonly services: Services;
  /** How finely the past was recorded, in words. */
  readonly resolution: string;
}

/** The services of a handler, which inherit what is not of the past. */
async function openPast(
  atMs: number,
  reading: AsOfReading,
  { query, body, key, services }: HandlerRequest<unknown, unknown>,
): Promise<Past> {
  const { asOf, origins, database } = services;
  const history = asOf.readHistory(atMs);
  const past = {
    isPast: true,
    now: () => atMs,
    marketNow: () => atMs,
    // Whatever else it has is not of the past.
    history: history as Services["history"],
    heatmaps: new Heatmaps(history.bars),
    origins: { findMode: (symbol, fromMs, toMs = atMs) => origins.findMode(symbol, fromMs, Math.min(toMs, atMs)) },
  } satisfies Partial<Services>;
  const complete = (more: Partial<Services>, resolution: string): Past => ({
    services: Object.assign(Object.create(services) as Services, past, more),
    resolution,
  });
  const window = reading.window?.(query, atMs);
  if (window !== undefined) {
    const calendar = await readPastCalendar(database.pool, services.calendar, atMs, window);
    if (typeof calendar === "number" || calendar === null)
      throw createGapError(atMs, { beforeMs: null, afterMs: calendar });
    return complete({ calendar: calendar as Services["calendar"] }, "each change at its receipt");
  }
  const named = reading.symbols?.(query, body);
  if (named === undefined) return complete({}, reading.resolution ?? "closed bars");
  const symbols = findSymbols(named, key, services);
  const market = await asOf.open(atMs, symbols);
  if ("beforeMs" in market) {
    const timeframe = reading.timeframe?.(query);
    const hasBars = market.isPending === undefined && (await hasClosedBars(history, symbols, timeframe));
    if (!hasBars || timeframe === undefined) throw createGapError(atMs, market, hasBars ? BARS_ANSWER : "");
    return complete({ book: asOf.openEmpty(atMs) }, "closed bars");
  }
  return complete(
    { book: market.book },
    market.hasSources
      ? "the last price of each source in each second"
      : market.hasFilled
        ? "the last price in each second, filled in later"
        : "the last served price in each second",
  );
}

/** Said where a price is needed, and only bars are stored. */
const BARS_ANSWER =
  " Bars from before it are stored: /v1/ohlc, /v1/indicator, /v1/indicators, /v1/multi, /v1/screener, /v1/summary and " +
  "/v1/heatmap answer with at from bars alone.";

/** Whether a bar of some symbols had closed; of any timeframe by default, of which each ends in bars of a day. */
async function hasClosedBars({ bars }: PastHistory, symbols: readonly string[], timeframe: Timeframe = "D1") {
  await bars.loadAll(symbols, timeframe, 1);
  const series = await Promise.all(symbols.map((symbol) => bars.readSeries(symbol, timeframe, 1)));
  return series.some(({ closed }) => closed.length > 0);
}

/**
 * The error of a call without bars, with the nearest recorded times if no price was recorded at its second either; or of
 * one without a price, with what answers if there are bars.
 */
async function explainMissing(
  error: unknown,
  atMs: number,
  { bars, symbols, timeframe }: AsOfReading,
  { query, body, key, services }: HandlerRequest<unknown, unknown>,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== "DATA_NOT_FOUND") return error;
  const { asOf, resolver, history } = services;
  const named = timeframe?.(query) === undefined ? symbols?.(query, body) : undefined;
  if (named !== undefined && (await hasClosedBars(history, findSymbols(named, key, services))))
    return new ApiError(error.code, error.message + BARS_ANSWER, error.extra);
  if (bars === undefined) return error;
  const market = await asOf.open(
    atMs,
    bars(query).flatMap((each) => resolver.find(each)?.symbol ?? []),
  );
  return "beforeMs" in market ? createGapError(atMs, market) : error;
}

/** Throws 403 PERMISSION_DENIED if the key may not read a symbol. */
function findSymbols(
  named: readonly string[] | "all",
  key: KeyEntry | null,
  { resolver, instruments }: Services,
): string[] {
  const found =
    named === "all" ? selectPermitted(key, instruments) : named.flatMap((each) => resolver.find(each) ?? []);
  requireSymbols(key, found);
  return [...new Set(found.map(({ symbol }) => symbol))];
}

/** 404 DATA_NOT_FOUND: no price was recorded at a moment, and when one was. */
export function createGapError(atMs: number, { beforeMs, afterMs }: NotRecorded, more = ""): ApiError {
  const format = (ms: number | null) => (ms === null ? null : formatTime(ms));
  const nearest = { before: format(beforeMs), after: format(afterMs) };
  const names = [nearest.before, nearest.after].filter((each) => each !== null);
  const hint = names.length === 0 ? "" : ` The nearest recorded times: ${names.join(" and ")}.`;
  return new ApiError("DATA_NOT_FOUND", `No price was recorded at ${formatTime(atMs)}.${hint}${more}`, {
    nearest_recorded: nearest,
  });
}

const MODE_LINE = /^X-Data-Mode: ([\w-]+)\r\n/im;

function formatHeaders({ headers = "" }: Handled, atMs: number, resolution: string): string {
  const mode = MODE_LINE.exec(headers)?.[1];
  return (
    headers.replace(MODE_LINE, "") +
    formatHeaderLine("X-Data-Mode", "as-of") +
    formatHeaderLine("X-As-Of", formatTime(atMs)) +
    formatHeaderLine("X-As-Of-Resolution", mode === undefined ? resolution : `${resolution}; ${mode}`)
  );
}
