import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { tagClosed } from "@/lib/api/engine/etag";
import { chooseFormat, formatParam } from "@/lib/api/engine/negotiation";
import { anyTimeframeParam, refuseParam, symbolParam, timeParam, wholeParam } from "@/lib/api/engine/params";
import { formatNextLink } from "@/lib/api/engine/response-headers";
import { formatCsvAnswer } from "@/lib/api/engine/table";
import { formatRetention, requireStoredBars } from "@/lib/api/history/outside-retention";
import { ohlcReply } from "@/lib/api/history/replies";
import { checkSeconds } from "@/lib/api/indicators/latest-values";
import { findPermitted, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { BarHistory, BarSeries } from "@/lib/history/bars/bar-history";
import { getBars } from "@/lib/history/history";
import { getBarRetentionDays, getBarRetentionStart } from "@/lib/history/retention";
import type { Bar } from "@/lib/market/bar";
import { countExpectedBars } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { PRICE_SIDES } from "@/lib/market/price";
import { getBarEnd, getBarStart, hasAllSides, isStored, USUAL_TIMEFRAMES } from "@/lib/market/timeframe";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { formatBarTime } from "@/lib/time/iso-time";

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

const query = z
  .object({
    symbol: symbolParam,
    timeframe: anyTimeframeParam.default("H1"),
    from: timeParam.optional().meta({ description: "Bars that opened at this moment or later: the first of them." }),
    to: timeParam.optional().meta({ description: "Bars that opened before this moment." }),
    limit: wholeParam(1, 1_000)
      .default(100)
      .meta({ description: "With from the first bars of the range, without it the latest." }),
    price: z
      .enum(PRICE_SIDES, { error: "must be bid, ask or mid" })
      .default("bid")
      .meta({ description: "The price of which bars are made. Bars of the ask and the mid have at most 15 minutes." }),
    format: formatParam.optional(),
  })
  .superRefine(({ from, to, price, timeframe }, context) => {
    if (price !== "bid" && !hasAllSides(timeframe)) {
      refuseParam(context, "INVALID_TIMEFRAME", `bars of the ${price} have at most 15 minutes`, {
        valid_values: USUAL_TIMEFRAMES.filter(hasAllSides),
      });
    }
    if (from !== undefined && to !== undefined && to <= from) {
      refuseParam(context, "INVALID_RANGE", "to must be later than from");
    }
  });

type Query = z.output<typeof query>;

export const ohlc = defineEndpoint({
  method: "GET",
  path: "/v1/ohlc",
  summary: "Candles of one symbol and timeframe, oldest first.",
  description:
    "Bars are made of bid prices; their volume is the number of price updates. With price=ask or price=mid they are joined " +
    "from the last quote of each second, as far back as ticks are retained; their volume is the number of seconds with a " +
    "price, and a mid may have one more digit than its quote. Bars of which whole ones make an " +
    "hour follow the UTC clock, all others New York's 17:00, so that a week has five daily bars. Bars of seconds have the " +
    "last bid of each second, their volume is the number of seconds with a price, and from and to may lie a week apart. A bar in which no price came does not exist. The " +
    "bar that is still filling is the last one when the range reaches it; its high, low, close and volume will change. " +
    "The header X-Coverage tells bars/expected: how many bars there are, and how many the answered range would have if " +
    "prices had come whenever the market was open; it is left out where that would be more than 10,000.",
  group: "History",
  access: "historical",
  weight: 1,
  query,
  reply: ohlcReply,
  errors: ["DATA_OUTSIDE_RETENTION", "INVALID_RANGE", "SYMBOL_NOT_FOUND"],
  headers: ["X-Coverage", "X-Data-Mode", "ETag", "Link"],
  csv: COLUMNS,
  asOf: { resolution: "closed minutes, and the last bid of each second after them" },

  handle({ query, key, call, services }) {
    const instrument = findPermitted(query.symbol, key, services.resolver);
    const nowMs = services.marketNow();
    const history = getBars(services.history, query.price);
    // What the bars are joined from has the limits of ranges, and is retained as long.
    const parts = query.price === "bid" ? query.timeframe : "S1";
    checkSeconds(parts, query.from, query.to ?? nowMs, query.price);
    const removedUntilMs = getBarRetentionStart(parts, services.keepDays, nowMs);
    const days = getBarRetentionDays(parts, services.keepDays);
    const answer = (found: readonly Bar[]): Handled => {
      const bars = query.from === undefined ? found : found.slice(0, query.limit);
      const nextMs = found[bars.length]?.timeMs ?? null;
      // Imported bars are never removed.
      const hasOlder = removedUntilMs !== null && (bars[0]?.timeMs ?? Infinity) < removedUntilMs;
      const retainedFromMs = hasOlder ? null : removedUntilMs;
      const headers = [
        formatCoverage(instrument, query, { bars, isCut: nextMs !== null, retainedFromMs, nowMs }),
        formatOriginHeader(services.origins, [instrument.symbol], ...findSpan(bars, query.timeframe)),
        nextMs === null ? "" : formatNextLink(call, nextMs),
      ].join("");
      // Without a bar that may still change. A bar that comes later, from a source's own history, changes the body.
      const isClosed = (nextMs ?? query.to ?? Infinity) <= getBarStart(query.timeframe, nowMs);
      if (chooseFormat(query.format, call.accept) === "csv") {
        const name = `${instrument.symbol}-${query.timeframe}.csv`;
        return tagClosed(formatCsvAnswer({ name, columns: COLUMNS, rows: formatCsvRows(bars), headers }), isClosed);
      }
      const { symbol } = instrument;
      const candles = bars.map(formatCandle);
      const isOlder = query.from !== undefined && retainedFromMs !== null && query.from < retainedFromMs;
      const { timeframe } = query;
      const data = {
        symbol,
        timeframe,
        ...(query.price === "bid" ? {} : { price: query.price }),
        candles,
        count: candles.length,
        retention: formatRetention(days),
        ...(nextMs === null ? {} : { next_from: formatBarTime(nextMs) }),
        ...(isOlder ? { from: formatBarTime(retainedFromMs) } : {}),
      };
      return tagClosed({ body: formatSuccess(data), headers }, isClosed);
    };
    const answerOrRefuse = (bars: readonly Bar[]) => {
      if (bars.length > 0) return answer(bars);
      const series = { symbol: instrument.symbol, timeframe: query.timeframe };
      return requireStoredBars(history, series, query.to, days).then(() => answer(bars));
    };
    return mapMaybeAsync(readBars(instrument.symbol, query, history), answerOrRefuse);
  },
});

/** The time that bars cover, UTC milliseconds; nothing if there are none. */
function findSpan(bars: readonly Bar[], timeframe: Query["timeframe"]): number[] {
  const [first, last] = [bars[0], bars.at(-1)];
  return first === undefined || last === undefined ? [] : [first.timeMs, getBarEnd(timeframe, last.timeMs)];
}

/**
 * Reads the latest bars from memory. A range, or more bars than memory holds, is looked up, and so are bars that are joined
 * from others: their series in memory have the thousands of bars that indicators need.
 */
function readBars(symbol: string, { timeframe, from, to, limit, price }: Query, history: BarHistory) {
  const range = { fromMs: from, toMs: to, limit };
  // One more bar than the limit tells whether the range goes on.
  if (from !== undefined) return history.readRange(symbol, timeframe, { ...range, limit: limit + 1 });
  if (to !== undefined || price !== "bid" || !isStored(timeframe)) return history.readRange(symbol, timeframe, range);
  // A series of the past has its filling bar in ranges only.
  const latest = ({ closed, forming }: BarSeries) =>
    forming === null || closed.length < limit - 1
      ? history.readRange(symbol, timeframe, range)
      : [...closed.slice(closed.length - limit + 1), forming];
  const series = history.readSeries(symbol, timeframe);
  return series instanceof Promise ? series.then(latest) : latest(series);
}

interface CoverageInput {
  readonly bars: readonly Bar[];
  /** Whether the range goes on behind the last bar. */
  readonly isCut: boolean;
  readonly retainedFromMs: number | null;
  readonly nowMs: number;
}

/** Formats X-Coverage: the number of bars, and the number expected without gaps in the answered part of the range. */
function formatCoverage(
  { tradingHours }: Instrument,
  { timeframe, from, to }: Query,
  { bars, isCut, retainedFromMs, nowMs }: CoverageInput,
): string {
  const last = bars.at(-1);
  const untilMs = isCut && last !== undefined ? getBarEnd(timeframe, last.timeMs) : Math.min(to ?? Infinity, nowMs);
  const fromMs = from === undefined ? (bars[0]?.timeMs ?? untilMs) : Math.max(from, retainedFromMs ?? 0);
  const expected = countExpectedBars(tradingHours, timeframe, fromMs, untilMs);
  // Feeds may send prices outside the trading hours of an instrument.
  return expected === null ? "" : formatHeaderLine("X-Coverage", `${bars.length}/${Math.max(expected, bars.length)}`);
}

function formatCandle({ timeMs, open, high, low, close, volume }: Bar) {
  return { time: formatBarTime(timeMs), open, high, low, close, volume };
}

function formatCsvRows(bars: readonly Bar[]): string {
  const lines = bars.map(({ timeMs, ...bar }) => [
    formatBarTime(timeMs),
    bar.open,
    bar.high,
    bar.low,
    bar.close,
    bar.volume,
  ]);
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}
