import * as z from "zod";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import type { Handled, Row } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { createLongEtag } from "@/lib/api/engine/etag";
import { findFirstValue } from "@/lib/api/engine/input";
import { anyTimeframeParam, namesParam, symbolsParam, timeParam } from "@/lib/api/engine/params";
import {
  formatBarStateHeader,
  formatHolesHeader,
  type NamedHole,
  READING_HEADERS,
} from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { joinParts } from "@/lib/api/engine/table";
import { formatRetention } from "@/lib/api/history/outside-retention";
import { getIndicator } from "@/lib/api/indicators/indicator-lookup";
import {
  checkRange,
  checkSeconds,
  countBars,
  extendSeries,
  findNamedHole,
  findNewestQuote,
  getLatestReading,
  type PastRange,
  rateSeries,
  readPastReadings,
  roundReading,
} from "@/lib/api/indicators/latest-values";
import { multiReply, multiTable } from "@/lib/api/indicators/readings-replies";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import { getBarRetentionDays } from "@/lib/history/retention";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart, type Timeframe } from "@/lib/market/timeframe";
import { slices } from "@/lib/platform/timing/slices";
import { formatBarTime, formatTime } from "@/lib/time/iso-time";

const MAX_SYMBOLS = 50;
const MAX_PAST_SYMBOLS = 10;
const MAX_INDICATORS = 50;
/** The maximum of bars of one symbol in an answer. */
const MAX_PAST_BARS = 1_000;

const querySchema = z.object({
  symbols: symbolsParam(MAX_SYMBOLS),
  indicators: namesParam(MAX_INDICATORS),
  timeframe: anyTimeframeParam.default("H1"),
  from: timeParam.optional().meta({
    description: `Asks for past bars instead of the latest one, of at most ${MAX_PAST_SYMBOLS} symbols and ${MAX_PAST_BARS} bars.`,
  }),
  to: timeParam.optional().meta({ description: "End of a past range, now without it. Only together with from." }),
});
type Query = z.output<typeof querySchema>;

export const multi = defineEndpoint({
  method: "GET",
  path: "/v1/multi",
  summary: "Several indicators of several symbols: at the latest closed bar, or at every bar of a past range.",
  description: "Past readings, with from, are not part of every plan.",
  group: "Analysis",
  access: "premium",
  entitlement: "indicatorHistory",
  needsEntitlement: (search) => findFirstValue(search, "from") !== null,
  weight: 2,
  query: querySchema,
  reply: multiReply,
  table: multiTable,
  errors: ["INDICATOR_NOT_FOUND", "INVALID_RANGE", "RANGE_TOO_LARGE"],
  headers: [...READING_HEADERS, "ETag"],
  asOf: { symbols: ({ symbols }) => symbols, timeframe: ({ timeframe }) => timeframe },

  async handle({ query, key, isTable, services }) {
    const { from: fromMs, to: toMs } = query;
    const resolved = resolve(query, services);
    requireSymbols(key, resolved.instruments);
    if (fromMs !== undefined) {
      const nowMs = Math.floor(services.marketNow());
      const answerRange = isTable ? answerPastTable : answerPast;
      const handled = await answerRange(resolved, checkSpan(resolved, fromMs, toMs ?? nowMs), services);
      const isClosed = toMs !== undefined && toMs <= getBarStart(resolved.timeframe, nowMs);
      return isClosed ? { ...handled, etag: await createLongEtag(handled.body) } : handled;
    }
    if (toMs !== undefined) throw new ApiError("VALIDATION_ERROR", "from is required with to");
    return answerLatest(resolved, services);
  },
});

interface ResolvedQuery {
  readonly timeframe: Timeframe;
  readonly instruments: readonly Instrument[];
  readonly unknown: readonly string[];
  /** With the names or aliases of the request. */
  readonly indicators: readonly (readonly [name: string, indicator: IndicatorDefinition])[];
}

function resolve({ symbols, indicators, timeframe, from }: Query, { resolver }: Services): ResolvedQuery {
  if (from !== undefined && symbols.length > MAX_PAST_SYMBOLS) {
    throw new ApiError("TOO_MANY_SYMBOLS", `symbols must name at most ${MAX_PAST_SYMBOLS} together with from`);
  }
  const found = symbols.map((spelling) => ({ spelling, instrument: resolver.find(spelling) }));
  return {
    timeframe,
    instruments: [...new Set(found.flatMap(({ instrument }) => instrument ?? []))],
    unknown: [...new Set(found.flatMap(({ spelling, instrument }) => (instrument === undefined ? spelling : [])))],
    indicators: indicators.map((name) => [name, getIndicator(name, timeframe)]),
  };
}

async function answerLatest(
  { timeframe, instruments, unknown, indicators }: ResolvedQuery,
  services: Services,
): Promise<Handled> {
  const { bars } = services.history;
  const definitions = indicators.map(([, indicator]) => indicator);
  const series = await Promise.all(
    instruments.map(async (instrument) => {
      const loaded = await bars.readSeries(instrument.symbol, timeframe);
      return extendSeries(bars, instrument, timeframe, loaded, definitions);
    }),
  );
  const data: [string, object][] = [];
  for (const [at, { symbol, digits }] of instruments.entries()) {
    const values = await slices.map(indicators, ([name, indicator]) => [
      name,
      getLatestReading(indicator, series[at] as BarSeries, digits),
    ]);
    data.push([symbol, Object.fromEntries(values) as object]);
  }
  const { updatedAt, headers } = findNewestQuote(instruments, services);
  const body = formatSuccess({
    timeframe,
    data: Object.fromEntries(data),
    bar_times: Object.fromEntries(
      instruments.map(({ symbol }, at) => {
        const latest = series[at]?.closed.at(-1);
        return [symbol, latest === undefined ? null : formatTime(latest.timeMs)];
      }),
    ),
    not_found: unknown,
    updated_at: updatedAt,
  });
  const nowMs = services.marketNow();
  const states = instruments.map(
    (each, at) => rateSeries(series[at] as BarSeries, each, timeframe, nowMs, definitions) ?? "current",
  );
  const counts = series.map(({ closed }) => closed.length);
  const holes = instruments.flatMap(({ symbol }, at) => {
    const hole = findNamedHole(series[at] as BarSeries, definitions);
    return hole === undefined ? [] : { symbol, ...hole };
  });
  return { body, headers: headers + formatBarStateHeader(states, counts) + formatHolesHeader(holes) };
}

type Range = PastRange & { readonly fromMs: number; readonly toMs: number };

function checkSpan({ timeframe }: ResolvedQuery, fromMs: number, toMs: number): Range {
  checkRange(fromMs, toMs);
  checkSeconds(timeframe, fromMs, toMs);
  const span = countBars(timeframe, fromMs, toMs);
  if (span > MAX_PAST_BARS) {
    throw new ApiError("RANGE_TOO_LARGE", `from and to may lie ${MAX_PAST_BARS} bars apart at most.`, {
      requested_range: `${span} bars of ${timeframe}`,
      max_range: `${MAX_PAST_BARS} bars of ${timeframe}`,
    });
  }
  return { fromMs, toMs, limit: MAX_PAST_BARS };
}

/** An answer can have megabytes, so its bars are not written at once. */
async function answerPast(resolved: ResolvedQuery, range: Range, services: Services): Promise<Handled> {
  const { timeframe, instruments, unknown } = resolved;
  const parts: Buffer[] = [];
  const holes: NamedHole[] = [];
  for (const instrument of instruments) {
    parts.push(Buffer.from(`${parts.length === 0 ? "" : ","}${JSON.stringify(instrument.symbol)}:[`));
    const write = (rows: readonly Row[], at: number) =>
      Buffer.from(`${at === 0 ? "" : ","}${JSON.stringify(rows).slice(1, -1)}`);
    const past = await mapPast(instrument, resolved, range, services, write);
    parts.push(...past.parts, Buffer.from("]"));
    holes.push(...past.holes);
  }
  const retention = formatRetention(getBarRetentionDays(timeframe, services.keepDays));
  const [from, to] = [formatBarTime(range.fromMs), formatBarTime(range.toMs)];
  const head = { timeframe, mode: "historical", from, to, retention };
  const [before = "", after = ""] = formatSuccess({ ...head, data: {}, not_found: unknown }).split('"data":{}', 2);
  return {
    body: await joinParts([Buffer.from(`${before}"data":{`), ...parts, Buffer.from(`}${after}`)]),
    headers: findNewestQuote(instruments, services).headers + formatHolesHeader(holes),
  };
}

async function answerPastTable(resolved: ResolvedQuery, range: Range, services: Services): Promise<Handled> {
  const { instruments } = resolved;
  const rows: Row[] = [];
  const holes: NamedHole[] = [];
  for (const instrument of instruments) {
    const { symbol } = instrument;
    const addSymbol = (part: readonly Row[]) => part.map((row) => ({ symbol, ...row }));
    const past = await mapPast(instrument, resolved, range, services, addSymbol);
    rows.push(...past.parts.flat());
    holes.push(...past.holes);
  }
  return { body: "", rows, headers: findNewestQuote(instruments, services).headers + formatHolesHeader(holes) };
}

/** How many bars are mapped together: writing those of all indicators takes less than a ms. */
const BARS_OF_PART = 8;

/** Reads the bars of one symbol, and maps the times and readings of a few at a time. */
async function mapPast<Result>(
  instrument: Instrument,
  { timeframe, indicators }: ResolvedQuery,
  range: Range,
  services: Services,
  map: (rows: readonly Row[], at: number) => Result,
): Promise<{ readonly parts: readonly Result[]; readonly holes: readonly NamedHole[] }> {
  const { symbol, digits } = instrument;
  const definitions = indicators.map(([, indicator]) => indicator);
  const past = await readPastReadings(services.history.bars, instrument, timeframe, range, definitions);
  const { bars, values } = past;
  const toRow = ({ timeMs }: Bar, at: number): Row => {
    const row: Record<string, string | number | null> = { time: formatBarTime(timeMs) };
    indicators.forEach(([name, indicator], column) => {
      const value = values[column]?.[at] ?? null;
      row[name] = value === null ? null : roundReading(value, indicator, digits);
    });
    return row;
  };
  const starts = Array.from({ length: Math.ceil(bars.length / BARS_OF_PART) }, (_, part) => part * BARS_OF_PART);
  const parts = await slices.map(starts, (start) => {
    const part = bars.slice(start, start + BARS_OF_PART);
    return map(
      part.map((bar, at) => toRow(bar, start + at)),
      start,
    );
  });
  return { parts, holes: past.holes.map((hole) => ({ symbol, ...hole })) };
}
