import * as z from "zod";
import { calendar } from "@/lib/api/calendar/calendar";
import { defineEndpoint, type HandlerRequest } from "@/lib/api/engine/endpoint";
import { wholeParam } from "@/lib/api/engine/params";
import { ohlc } from "@/lib/api/history/ohlc";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { RESOLUTIONS } from "@/lib/api/udf/udf-endpoint";
import {
  chartSymbolParam,
  findChartTime,
  formatChart,
  resolutionParam,
  secondsParam,
  TIMEFRAME_BY_RESOLUTION,
  toChartTime,
} from "@/lib/api/udf/udf-endpoint";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { SECOND_MS } from "@/lib/time/units";

/** The bars of one answer; the latest of a longer range. */
export const MAX_CHART_BARS = 1_000;

export const udfHistory = defineEndpoint({
  method: "GET",
  path: "/udf/history",
  permission: ohlc,
  summary: "The bars of a range, or a number of bars before a moment.",
  weight: 1,
  query: z.object({
    symbol: chartSymbolParam,
    resolution: resolutionParam,
    from: secondsParam.optional(),
    to: secondsParam,
    countback: wholeParam(1, 999_999_999).optional(),
  }),
  reply: z.unknown(),

  async handle({ query, key, services: { resolver, history, origins } }) {
    const { symbol } = findPermitted(query.symbol, key, resolver);
    const timeframe = toTimeframe(query.resolution);
    const { from, to, countback } = query;
    const series = { symbol, timeframe, history: history.bars };
    const count = Math.min(countback ?? MAX_CHART_BARS, MAX_CHART_BARS);
    const before = await readBefore(series, to, count);
    // A number of bars counts more than the start of the range, so that a chart is filled across a weekend.
    const bars = countback === undefined ? before.filter(({ chartMs }) => chartMs >= (from ?? 0)) : before;
    const [first, last] = [bars[0], bars.at(-1)];
    if (first === undefined || last === undefined) {
      const [older] = await readBefore(series, from ?? to, 1);
      return formatChart({ s: "no_data", ...(older && { nextTime: older.chartMs / SECOND_MS }) });
    }
    const endMs = getBarEnd(timeframe, last.bar.timeMs);
    return formatChart(formatBars(bars), formatOriginHeader(origins, [symbol], first.bar.timeMs, endMs));
  },
});

interface ChartBar {
  /** The time that names the bar, UTC milliseconds. */
  readonly chartMs: number;
  readonly bar: Bar;
}

interface Series {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly history: BarHistory;
}

/** The latest bars that a chart names with times before `toMs`, oldest first. */
async function readBefore({ symbol, timeframe, history }: Series, toMs: number, count: number): Promise<ChartBar[]> {
  // The last one may be named with a later time.
  const found = await history.readRange(symbol, timeframe, { toMs, limit: count + 1 });
  const named = found.map((bar) => ({ chartMs: toChartTime(timeframe, bar.timeMs), bar }));
  return named.filter(({ chartMs }) => chartMs < toMs).slice(-count);
}

function formatBars(bars: readonly ChartBar[]) {
  return {
    s: "ok",
    t: bars.map(({ chartMs }) => chartMs / SECOND_MS),
    o: bars.map(({ bar }) => bar.open),
    h: bars.map(({ bar }) => bar.high),
    l: bars.map(({ bar }) => bar.low),
    c: bars.map(({ bar }) => bar.close),
    v: bars.map(({ bar }) => bar.volume),
  };
}

const MAX_MARKS = 500;
const COLOURS = { high: "red", medium: "yellow", low: "blue" } as const;

const markQuery = z.object({
  symbol: chartSymbolParam,
  resolution: resolutionParam,
  from: secondsParam,
  to: secondsParam,
});

interface Mark {
  readonly time: number;
  readonly event: CalendarEvent;
}

export const udfMarks = defineEndpoint({
  method: "GET",
  path: "/udf/marks",
  permission: calendar,
  summary: "The economic events of a symbol's currencies, as marks on its bars.",
  entitlement: "calendar",
  weight: 2,
  query: markQuery,
  reply: z.unknown(),

  handle(request) {
    const marks = findMarks(request);
    return formatChart({
      id: marks.map(({ event }) => event.id),
      time: marks.map(({ time }) => time),
      color: marks.map(({ event }) => COLOURS[event.impact]),
      text: marks.map(({ event }) => formatEvent(event)),
      label: marks.map(({ event }) => event.currency.charAt(0)),
      labelFontColor: marks.map(() => "white"),
      minSize: marks.map(() => 14),
    });
  },
});

export const udfTimescaleMarks = defineEndpoint({
  method: "GET",
  path: "/udf/timescale_marks",
  permission: calendar,
  summary: "The economic events of a symbol's currencies, as marks below the chart.",
  entitlement: "calendar",
  weight: 2,
  query: markQuery,
  reply: z.unknown(),
  handle: (request) =>
    formatChart(
      findMarks(request).map(({ time, event }) => {
        const label = event.currency.charAt(0);
        return { id: event.id, time, color: COLOURS[event.impact], label, tooltip: [formatEvent(event)] };
      }),
    ),
});

/** The newest events of a range that have an hour. */
function findMarks({ query, key, services }: HandlerRequest<z.output<typeof markQuery>, null>): Mark[] {
  const { base, quote } = findPermitted(query.symbol, key, services.resolver);
  const timeframe = toTimeframe(query.resolution);
  const { shown } = services.calendar.query({
    fromMs: query.from,
    toMs: query.to,
    newestFirst: true,
    currencies: new Set([base, quote].filter((code) => code !== null)),
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: MAX_MARKS,
  });
  return shown
    .filter(({ event }) => event.certainty !== "all_day")
    .map(({ event }) => ({ time: findChartTime(timeframe, event.timeMs) / SECOND_MS, event }))
    .reverse();
}

/** Without the released figure, which not every plan includes. */
function formatEvent({ currency, title, forecast, previous }: CalendarEvent): string {
  const figures = [forecast && `forecast ${forecast}`, previous && `previous ${previous}`].filter(Boolean).join(", ");
  return `${currency} ${title}${figures === "" ? "" : ` (${figures})`}`;
}

function toTimeframe(resolution: (typeof RESOLUTIONS)[number]): Timeframe {
  return TIMEFRAME_BY_RESOLUTION[resolution];
}
