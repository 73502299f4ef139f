import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { wholeParam } from "@/lib/api/engine/params";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import { chartSymbolParam, formatChart, resolutionParam, secondsParam } from "@/lib/api/udf/udf-endpoint";
import { toChartTime, toTimeframe } from "@/lib/api/udf/udf-time";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import { SECOND_MS } from "@/lib/time/units";

/** The bars of one answer; the latest of a longer range. */
export const MAX_CHART_BARS = 1_000;

export const udfHistory = defineEndpoint({
  method: "GET",
  path: "/udf/history",
  permission: "/v1/ohlc",
  summary: "The bars of a range, or a number of bars before a moment.",
  access: "key",
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
