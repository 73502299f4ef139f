import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { runWithSignals } from "@/lib/analytics/indicators/run";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeBySecond } from "@/lib/api/engine/memo";
import { getLatestReading, roundReading } from "@/lib/api/indicators/latest-values";
import type { ServedQuote } from "@/lib/book/quote";
import type { BarSeries } from "@/lib/history/bars/bar-history";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatTime } from "@/lib/time/iso-time";

/**
 * Writes the two documented readings of `/v1/indicator`. The part that depends on closed bars is written once; each
 * request adds the newest quote. Symbols, sources and names are plain ASCII, so nothing needs escaping.
 */

export interface ReadingRequest {
  readonly instrument: Instrument;
  readonly indicator: IndicatorDefinition;
  /** The name or alias in the request, which the answer repeats. */
  readonly name: string;
  readonly timeframe: Timeframe;
  /** Bars of the series; 1 for none. */
  readonly bars: number;
}

type Readings = Pick<BarSeries, "closed" | "past">;

/** A reading that lacks only the newest quote. */
export interface WrittenReading {
  /**
   * Returns the whole body.
   * @param marketNowMs the clock for the age of the quote, UTC milliseconds
   * @param nowMs the clock for the server's time, UTC milliseconds
   */
  complete(quote: ServedQuote, marketNowMs: number, nowMs: number): string;
}

/** Writes the enveloped reading. Throws 404 DATA_NOT_FOUND if there are too few bars. */
export function writeReading(request: ReadingRequest, series: Readings): WrittenReading {
  const { instrument, indicator, name, timeframe } = request;
  const value = getLatestReading(indicator, series, instrument.digits);
  if (value === null) throw createTooFewBarsError(request, series.closed.length);
  const head =
    `{"success":true,"data":{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `"value":${value},"bid":`;
  return {
    complete: (quote, _, nowMs) =>
      `${head}${quote.bid},"ask":${quote.ask},"updated_at":${Math.floor(quote.timeMs / 1000)},` +
      `"server_time":"${formatSecond(nowMs)}"}}`,
  };
}

/** Writes the flat reading. Throws 404 DATA_NOT_FOUND if there are too few bars. */
export function writeFlatReading(request: ReadingRequest, series: Readings): WrittenReading {
  const { instrument, name, timeframe, bars } = request;
  const points = listFlatPoints(request, series);
  const latest = points.at(-1);
  if (latest === undefined) throw createTooFewBarsError(request, series.closed.length);
  const head =
    `{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `${JSON.stringify(latest).slice(1, -1)},"metadata":{"source":"`;
  const tail = bars === 1 ? "}}" : `},"bars":${points.length},"series":${JSON.stringify(points)}}`;
  return {
    complete(quote, marketNowMs) {
      const ageSeconds = Math.max(0, Math.floor((marketNowMs - quote.timeMs) / 1000));
      return `${head}${quote.source}","data_age_seconds":${ageSeconds}${tail}`;
    },
  };
}

/** Lists the points of the latest `bars` bars, oldest first, without those that have no value. */
function listFlatPoints({ instrument, indicator, bars }: ReadingRequest, { closed, past }: Readings) {
  const { digits } = instrument;
  const readings = runWithSignals(indicator, closed, 10 ** -digits, past);
  const first = Math.max(0, closed.length - bars);
  return closed.slice(first).flatMap(({ timeMs, open, high, low, close, volume }, at) => {
    const reading = readings[first + at];
    if (reading == null) return [];
    return {
      timestamp: new Date(timeMs).toISOString(),
      value: roundReading(reading.value, indicator, digits),
      signal: reading.signal,
      ohlc: { open, high, low, close, volume },
    };
  });
}

function createTooFewBarsError({ instrument, indicator, name, timeframe }: ReadingRequest, count: number): ApiError {
  const bars = indicator.warmUp === 1 ? "1 closed bar" : `${indicator.warmUp} closed bars`;
  return new ApiError(
    "DATA_NOT_FOUND",
    `${name} needs ${bars} of ${instrument.symbol} at ${timeframe}; so far there are ${count}.`,
  );
}

/** Formats a time to the second: "2026-01-12T14:30:00+00:00". */
const formatSecond = memoizeBySecond(formatTime);
