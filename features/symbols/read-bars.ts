import { type BarRequest, FIRST_BARS, MOST_BARS } from "@/features/symbols/bars-url";
import { toIndicatorLook } from "@/features/symbols/indicator-look";
import { readIndicatorNames } from "@/features/symbols/read-choice";
import type { BarPage, IndicatorLook, WireBar } from "@/features/symbols/types";
import { chooseBarPrice, readPrice, readTimeframe } from "@/features/symbols/url";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { isDefinedFor } from "@/lib/api/indicators/indicator-lookup";
import { readPastReadings, roundReading } from "@/lib/api/indicators/latest-values";
import { type AllBars, getBars } from "@/lib/history/history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";

/**
 * Reads bars as `/v1/ohlc` answers them, and the values that `/v1/indicator/history` has at the closed ones of them.
 * `limit` counts the closed bars; the bar that is still filling comes in addition.
 */
export async function readBarPage(
  all: AllBars,
  instrument: Pick<Instrument, "symbol" | "digits" | "tradingHours">,
  { timeframe, price, indicators, beforeMs, fromMs, limit }: BarRequest,
): Promise<BarPage> {
  const { symbol, digits } = instrument;
  const history = getBars(all, price);
  const known = indicators.flatMap((name) => findIndicator(name) ?? []);
  const definitions = known.filter((definition) => isDefinedFor(definition, timeframe));
  const range = { fromMs: fromMs ?? undefined, toMs: beforeMs ?? undefined, limit };
  const { bars: closed, values } = await readPastReadings(history, instrument, timeframe, range, definitions);
  const [newest] = await history.readRange(symbol, timeframe, { limit: 1 });
  // A bar that closed between the two reads is in neither: the next read has it.
  const isNext = newest !== undefined && newest.timeMs > (closed.at(-1)?.timeMs ?? -Infinity);
  const isForming = isNext && beforeMs === null && (fromMs === null || closed.length < limit);
  const bars = isForming ? [...closed, newest] : closed;
  return {
    bars: bars.map(toWireBar),
    isForming,
    hasOlder: fromMs === null && closed.length === limit,
    values: Object.fromEntries([
      ...known.map(({ name }) => [name, bars.map(() => null)] as const),
      ...definitions.map((definition, index) => {
        const line = (values[index] ?? []).map((value) => value && roundReading(value, definition, digits));
        return [definition.name, isForming ? [...line, null] : line] as const;
      }),
    ]),
  };
}

export function toWireBar({ timeMs, open, high, low, close, volume }: Bar): WireBar {
  return [timeMs, open, high, low, close, volume];
}

/** Reads the query of the bars' data route. Invalid values are replaced by their defaults. */
export function readBarRequest(query: URLSearchParams): BarRequest {
  const limit = readWhole(query.get("limit")) ?? FIRST_BARS;
  const timeframe = readTimeframe(query);
  return {
    timeframe,
    price: chooseBarPrice(timeframe, readPrice(query)),
    indicators: readIndicatorNames(query),
    beforeMs: readWhole(query.get("before")),
    fromMs: readWhole(query.get("from")),
    limit: Math.min(Math.max(limit, 1), MOST_BARS),
  };
}

/** A whole number of at most 15 digits, which a double holds exactly; null for any other text. */
function readWhole(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** How the chart of a symbol draws each indicator of the list, in its order, and the chosen members of families. */
export function listIndicatorLooks(digits: number, chosen: readonly string[] = []): IndicatorLook[] {
  const own = chosen.flatMap((name) => findIndicator(name) ?? []);
  return [...new Set([...indicators, ...own])].map((definition) => toIndicatorLook(definition, digits));
}
