import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { mayRead } from "@/lib/access/plans";
import type { Handled } from "@/lib/api/engine/answer";
import { requireEntitlement } from "@/lib/api/engine/authorise";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { createLongEtag } from "@/lib/api/engine/etag";
import { findFirstValue } from "@/lib/api/engine/input";
import { choiceParam, refuseParam, symbolParam, timeframeParam, timeParam, wordParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { CSV_TYPE, joinParts } from "@/lib/api/engine/table";
import { createTurns } from "@/lib/api/engine/turns";
import { createRetentionError, requireKeptTicks, requireStoredBars } from "@/lib/api/history/outside-retention";
import { findPermitted, formatModeHeader, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { CALENDAR_KINDS, type CalendarKind, createCalendarDataset, findCalendarMode } from "@/lib/export/calendar-data";
import { type Dataset, formatMoment, getReadableEnd, readParts, readPresent } from "@/lib/export/dataset";
import { createModeReader, FactList, readRowMarks } from "@/lib/export/file-facts";
import { createPriceDataset, type PriceKind } from "@/lib/export/price-data";
import { type Format, FORMATS, openTable } from "@/lib/export/table";
import { getRetentionStart } from "@/lib/history/retention";
import { TICK_RESOLUTIONS, type TickResolution } from "@/lib/history/tapes/kept-ticks";
import type { KeptTimes } from "@/lib/history/tapes/tape-history";
import { countSeconds } from "@/lib/history/ticks/tick-history";
import { countExpectedBars } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { getUsualBarMs, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { formatExactDuration } from "@/lib/time/duration";
import { formatStamp } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "@/lib/time/units";

const PRICE_KINDS = ["ticks", "bars", "spreads", "quotes", "proofs"] as const satisfies readonly PriceKind[];
export const EXPORT_KINDS = [...PRICE_KINDS, ...CALENDAR_KINDS] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];
export const PARQUET_TYPE = "application/vnd.apache.parquet";
const MAX_BARS = 50_000;
/** The most ticks of all sources in one answer: some 45 MB of CSV. */
const MAX_TICKS = 500_000;

/** Whether a plan must include ticks for what is exported. */
export function needsTicks(what: string): boolean {
  return what === "ticks" || what === "quotes" || what === "proofs";
}

export function isCalendar(what: ExportKind): what is CalendarKind {
  return CALENDAR_KINDS.some((kind) => kind === what);
}

/** The longest range of one answer: some megabytes, and for quotes what is decoded with those of all other symbols. */
function getMaxRange(what: ExportKind, timeframe: Timeframe): number {
  if (what === "ticks") return DAY_MS;
  if (what === "quotes") return HOUR_MS;
  if (isCalendar(what)) return 92 * DAY_MS;
  return what === "spreads" || what === "proofs" ? WEEK_MS : MAX_BARS * getUsualBarMs(timeframe);
}

/** What is only for bars, and only for ticks. */
export const lengthParams = {
  timeframe: timeframeParam(TIMEFRAMES).optional().meta({ description: "The length of bars; H1 is the default." }),
  resolution: wordParam(TICK_RESOLUTIONS, "VALIDATION_ERROR")
    .optional()
    .meta({
      description:
        "Of ticks. 1s, the default: the last update of each second. tick: every tick of each source, where the server keeps " +
        "them (SPOTLINE_KEEP_TICKS).",
    }),
};

interface Lengths {
  readonly what: ExportKind;
  readonly timeframe?: Timeframe | undefined;
  readonly resolution?: TickResolution | undefined;
}

export function refuseOtherLengths({ what, timeframe, resolution }: Lengths, context: z.RefinementCtx): void {
  if (timeframe !== undefined && what !== "bars") refuseParam(context, "VALIDATION_ERROR", "timeframe is for bars");
  if (resolution !== undefined && what !== "ticks") refuseParam(context, "VALIDATION_ERROR", "resolution is for ticks");
}

const query = z
  .object({
    what: choiceParam(EXPORT_KINDS, "INVALID_TYPE").meta({
      description:
        "Served seconds, bars, spreads by the minute, quotes of all sources by the second, hashes of hours, events of the " +
        "calendar, or their changes.",
    }),
    symbol: symbolParam.optional().meta({ description: "Needed for all but the calendar, which has none." }),
    ...lengthParams,
    from: timeParam.meta({ description: "First moment of the range." }),
    to: timeParam.meta({
      description:
        `End of the range, itself not in it: at most a day after from for ticks (and ${MAX_TICKS} of every tick), an hour for quotes, a week for ` +
        "spreads and proofs, 92 days for the calendar, and 50,000 bars.",
    }),
    format: z
      .enum(FORMATS, { error: `must be ${FORMATS.join(" or ")}` })
      .default("csv")
      .meta({ description: "How the file is written." }),
  })
  .superRefine(({ what, symbol, timeframe, resolution, from, to }, context) => {
    refuseOtherLengths({ what, timeframe, resolution }, context);
    if (symbol === undefined && !isCalendar(what)) refuseParam(context, "VALIDATION_ERROR", "symbol is missing");
    if (symbol !== undefined && isCalendar(what))
      refuseParam(context, "VALIDATION_ERROR", "the calendar has no symbol");
    const rangeMs = to - from;
    const maxMs = getMaxRange(what, timeframe ?? "H1");
    if (rangeMs <= 0) refuseParam(context, "INVALID_RANGE", "to must be later than from");
    if (rangeMs > maxMs) {
      const longest = formatExactDuration(maxMs);
      const message = `from and to may be at most ${longest} apart for ${what}; POST /v1/export writes longer ranges into files`;
      refuseParam(context, "RANGE_TOO_LARGE", message, {
        requested_range: formatExactDuration(rangeMs),
        max_range: longest,
      });
    }
  });

export const exportHistory = defineEndpoint({
  method: "GET",
  path: "/v1/export",
  summary: "Ticks, bars, spreads, quotes or proofs of one symbol, or the calendar, as a file: CSV or Parquet.",
  description:
    "The columns are those of the files of `spotline export`. ticks: time, bid, ask; ticks with resolution=tick: time, " +
    "source, bid, ask, received, served, of every tick of each source, and served is 1 for those that /v1/ticks has without " +
    "a source; bars: time, open, high, low, close, " +
    "volume; spreads: time, source, samples, min, max, mean, deviation, of each minute and source, where the served price " +
    "has no source; quotes: time, source, bid, ask, quoted_at, stale_after_ms, of each second in which the source had an " +
    "update; proofs: time, seq, ticks, content, written, cause, origins, link, of each version of each closed hour of ticks, " +
    "whose hashes tools/verify.py computes again; calendar: the events as they are now; calendar_revisions: every recorded change of these events. CSV begins " +
    "with a column symbol, has a header, CRLF, and times like 2026-11-20T13:00:00Z. With X-Data-Mode, that of a symbol ends with a column " +
    "mode: live, simulated or replay; Parquet has it in its metadata. Parquet has TIMESTAMP in milliseconds, " +
    "UTC, and prices as DOUBLE, each the nearest to its exact price. Bars, spreads and every tick are of hours that are no " +
    "longer recorded. The header X-Coverage tells rows/expected of ticks and bars, as in /v1/ticks and /v1/ohlc, and of every " +
    "tick kept/all: the seconds in which ticks were kept. Ticks, quotes and " +
    "proofs need a plan that includes ticks, and the calendar one that includes it; without released figures in the plan, the " +
    "events have none, as in /v1/calendar.",
  group: "History",
  access: "historical",
  entitlement: "ticks",
  needsEntitlement: (search) => {
    const what = findFirstValue(search, "what") ?? "";
    return what === "" || needsTicks(what);
  },
  weight: 3,
  query,
  reply: z.string(),
  contentType: "text/csv",
  bytesType: PARQUET_TYPE,
  errors: ["DATA_OUTSIDE_RETENTION", "INVALID_RANGE", "RANGE_TOO_LARGE", "SYMBOL_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: ["X-Coverage", "X-Data-Mode", "ETag"],

  handle({ query: { what, symbol, timeframe = "H1", resolution = "1s", from, to, format }, key, call, services }) {
    if (isCalendar(what)) {
      if (key !== null) requireEntitlement(key, "calendar", call, services);
      const withActual = key !== null && mayRead(key, "actuals");
      const dataset = { ...createCalendarDataset(what, withActual), stepMs: 2 * DAY_MS };
      // A replay does not show what comes after its clock.
      const toMs = services.isInPast ? Math.min(to, services.marketNow()) : to;
      return inTurn(() => writeFile({ dataset, symbol: null, fromMs: from, toMs, format, prices: null }, services));
    }
    const instrument = findPermitted(symbol ?? "", key, services.resolver);
    // Some thousand rows are a row group: more at once would delay other calls.
    const prices = { what, instrument, timeframe, resolution };
    const dataset = { ...createPriceDataset(what, prices), stepMs: getStep(prices) };
    const request = { dataset, symbol: instrument.symbol, fromMs: from, toMs: to, format };
    return inTurn(() => writeFile({ ...request, prices }, services));
  },
});

const inTurn = createTurns({ most: 20, what: "exports", retryAfterS: 5 });

interface Request {
  readonly dataset: Dataset;
  readonly symbol: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly format: Format;
  /** Null for the calendar. */
  readonly prices: Prices | null;
}

interface Prices {
  readonly what: PriceKind;
  readonly instrument: Instrument;
  readonly timeframe: Timeframe;
  readonly resolution: TickResolution;
}

async function writeFile(request: Request, services: Services): Promise<Handled> {
  const { dataset, symbol, fromMs, toMs, format, prices } = request;
  const { pool } = services.database;
  const present = await readPresent(pool, services.marketNow());
  const parts: Buffer[] = [];
  const marked = await readRowMarks(pool, dataset, { symbol, fromMs, toMs });
  const facts = new FactList(dataset, marked);
  const hasModes = symbol !== null && marked.length > 0;
  const table = openTable(format, {
    columns: dataset.columns,
    symbol,
    readMode: hasModes ? createModeReader(marked) : undefined,
    about: { what: dataset.name, resolution: dataset.resolution },
    async sink(bytes) {
      parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      await nextTurn();
    },
  });
  let rows = 0;
  for await (const part of readParts(pool, { dataset, symbol, fromMs, toMs, beginMs: fromMs, present })) {
    rows += part.count;
    if (prices?.resolution === "tick" && rows > MAX_TICKS) throw createTooManyTicks();
    facts.add(part);
    await table.write(part);
  }
  const untilMs = Math.min(toMs, getReadableEnd(dataset, present));
  const kept = await readKept(request, untilMs, services);
  if (rows === 0) await requireStored(request, kept, services);
  await table.finish(facts.build());
  const body = await joinParts(parts);
  const name = [
    symbol,
    dataset.name === "bars" ? dataset.resolution : dataset.name,
    formatStamp(fromMs),
    formatStamp(toMs),
  ];
  const isGrowing = prices !== null && dataset.getEnd(toMs - 1) > present.closedUntilMs;
  return {
    body,
    contentType: format === "csv" ? CSV_TYPE : PARQUET_TYPE,
    // A range with a growing part changes with every second.
    etag: isGrowing ? undefined : await createLongEtag(body),
    headers:
      formatCoverage(request, { rows, untilMs, kept }) +
      (symbol === null
        ? formatModeHeader(await findCalendarMode(pool, fromMs, toMs))
        : formatOriginHeader(services.origins, [symbol], fromMs, toMs)) +
      formatHeaderLine("Content-Disposition", `attachment; filename="${name.filter(Boolean).join("-")}.${format}"`),
  };
}

function createTooManyTicks(): ApiError {
  const message = `An answer has at most ${MAX_TICKS} ticks: choose a shorter range, or have POST /v1/export write them into files.`;
  return new ApiError("RANGE_TOO_LARGE", message);
}

/** When every tick was kept; null for other exports. */
async function readKept({ prices, fromMs }: Request, untilMs: number, { readKeptTimes, marketNow }: Services) {
  if (prices?.resolution !== "tick") return null;
  return readKeptTimes(prices.instrument, { fromMs, toMs: untilMs, nowMs: marketNow() });
}

const BARS_OF_STEP = 3_000;

function getStep({ what, timeframe, resolution }: Prices): number {
  if (what === "ticks") return resolution === "tick" ? 15 * MINUTE_MS : HOUR_MS;
  if (what === "quotes") return 5 * MINUTE_MS;
  if (what === "proofs") return WEEK_MS;
  return what === "spreads" ? 6 * HOUR_MS : BARS_OF_STEP * getUsualBarMs(timeframe);
}

interface Written {
  readonly rows: number;
  readonly untilMs: number;
  readonly kept: KeptTimes | null;
}

function formatCoverage({ fromMs, prices }: Request, { rows, untilMs, kept }: Written): string {
  if (prices === null || ["spreads", "quotes", "proofs"].includes(prices.what)) return "";
  const { what, instrument, timeframe } = prices;
  if (kept !== null) {
    const missingMs = kept.notKept.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
    const seconds = countSeconds(fromMs, untilMs);
    return formatHeaderLine("X-Coverage", `${Math.max(0, seconds - Math.ceil(missingMs / SECOND_MS))}/${seconds}`);
  }
  const expected =
    what === "ticks"
      ? countSeconds(fromMs, untilMs)
      : countExpectedBars(instrument.tradingHours, timeframe, fromMs, untilMs);
  return expected === null ? "" : formatHeaderLine("X-Coverage", `${rows}/${Math.max(rows, expected)}`);
}

/**
 * Throws 400 DATA_OUTSIDE_RETENTION if a range without rows ends before the stored ones, and 404 DATA_NOT_FOUND if every tick
 * was not kept in it.
 */
async function requireStored(
  { prices, fromMs, toMs }: Request,
  kept: KeptTimes | null,
  services: Services,
): Promise<void> {
  if (prices === null) return;
  const { what, timeframe, instrument } = prices;
  const { keepDays, marketNow, history } = services;
  if (kept !== null) return requireKeptTicks({ instrument, fromMs, toMs }, kept, services);
  if (what === "bars") return requireStoredBars(history.bars, { symbol: instrument.symbol, timeframe }, toMs, null);
  const days = keepDays[what === "spreads" ? "spreads" : "ticks"];
  const storedFromMs = getRetentionStart(days, marketNow());
  if (toMs <= storedFromMs) throw createRetentionError(formatMoment(storedFromMs), days);
}
