import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { runWithSignals } from "@/lib/analytics/indicators/run";
import { ApiError } from "@/lib/api/engine/errors";
import { memoBySecond } from "@/lib/api/engine/memo";
import { getLatestReading, roundReading } from "@/lib/api/indicators/latest-values";
import type { ServedQuote } from "@/lib/book/quote";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatTime } from "@/lib/time/iso-time";

/**
 * Writes the two documented readings of `/v1/indicator`. Whatever follows from closed bars is written once; only what
 * the newest quote says is added for each request. Symbols, sources and names are plain ASCII: nothing needs escaping.
 */

export interface ReadingRequest {
  readonly instrument: Instrument;
  readonly indicator: IndicatorDefinition;
  /** The indicator as it was asked for, which the answer repeats. */
  readonly name: string;
  readonly timeframe: Timeframe;
  /** Bars of the series; 1 for none. */
  readonly bars: number;
}

/** A reading that lacks only the newest quote. */
export interface WrittenReading {
  /**
   * The whole body.
   * @param marketNowMs what the age of the quote is told by
   * @param nowMs what the server's time is told by; both UTC milliseconds
   */
  completedBy(quote: ServedQuote, marketNowMs: number, nowMs: number): string;
}

/** The enveloped reading. Throws 404 DATA_NOT_FOUND where the bars are too few. */
export function writeReading(request: ReadingRequest, closed: readonly Bar[]): WrittenReading {
  const { instrument, indicator, name, timeframe } = request;
  const value = getLatestReading(indicator, closed, instrument.digits);
  if (value === null) throw createTooFewBarsError(request, closed.length);
  const head =
    `{"success":true,"data":{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `"value":${value},"bid":`;
  return {
    completedBy: (quote, _, nowMs) =>
      `${head}${quote.bid},"ask":${quote.ask},"updated_at":${Math.floor(quote.timeMs / 1000)},` +
      `"server_time":"${formatSecond(nowMs)}"}}`,
  };
}

/** The flat reading. Throws 404 DATA_NOT_FOUND where the bars are too few. */
export function writeFlatReading(request: ReadingRequest, closed: readonly Bar[]): WrittenReading {
  const { instrument, name, timeframe, bars } = request;
  const points = listFlatPoints(request, closed);
  const latest = points.at(-1);
  if (latest === undefined) throw createTooFewBarsError(request, closed.length);
  const head =
    `{"symbol":"${instrument.symbol}","indicator":"${name}","timeframe":"${timeframe}",` +
    `${JSON.stringify(latest).slice(1, -1)},"metadata":{"source":"`;
  const tail = bars === 1 ? "}}" : `},"bars":${points.length},"series":${JSON.stringify(points)}}`;
  return {
    completedBy(quote, marketNowMs) {
      const ageSeconds = Math.max(0, Math.floor((marketNowMs - quote.timeMs) / 1000));
      return `${head}${quote.source}","data_age_seconds":${ageSeconds}${tail}`;
    },
  };
}

/** The latest bars that have a value, at most as many as were asked for, oldest first. */
function listFlatPoints({ instrument, indicator, bars }: ReadingRequest, closed: readonly Bar[]) {
  const { digits } = instrument;
  const readings = runWithSignals(indicator, closed, 10 ** -digits);
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

/** A moment to the second, as "2026-01-12T14:30:00+00:00". */
const formatSecond = memoBySecond(formatTime);
