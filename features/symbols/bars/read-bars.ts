import type { BarPage, WireBar } from "@/features/symbols/types";
import { findIndicator } from "@/lib/analytics/indicators/registry";
import { readPastReadings, roundReading } from "@/lib/api/indicators/latest-values";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";

export interface BarRequest {
  readonly timeframe: Timeframe;
  /** Names of indicators whose values are added. */
  readonly indicators: readonly string[];
  /** Only bars that opened before this moment; null for the newest. UTC milliseconds. */
  readonly beforeMs: number | null;
  /** Only bars that opened at this moment or later: the first of them. Null for the latest. UTC milliseconds. */
  readonly fromMs: number | null;
  readonly limit: number;
}

/**
 * Reads bars as `/v1/ohlc` answers them, and the values that `/v1/indicator/history` has at the closed ones of them.
 * `limit` counts the closed bars; the bar that is still filling comes in addition.
 */
export async function readBarPage(
  history: BarHistory,
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  { timeframe, indicators, beforeMs, fromMs, limit }: BarRequest,
): Promise<BarPage> {
  const definitions = indicators.flatMap((name) => findIndicator(name) ?? []);
  const range = { fromMs: fromMs ?? undefined, toMs: beforeMs ?? undefined, limit };
  const { bars: closed, values } = await readPastReadings(history, { symbol, timeframe }, range, definitions);
  const { forming } = await history.readSeries(symbol, timeframe);
  // A bar that closed between the two reads is in neither: the next read has it.
  const isNext = forming !== null && forming.timeMs > (closed.at(-1)?.timeMs ?? -Infinity);
  const isForming = isNext && beforeMs === null && (fromMs === null || closed.length < limit);
  const bars = isForming ? [...closed, forming] : closed;
  return {
    bars: bars.map(toWireBar),
    isForming,
    hasOlder: fromMs === null && closed.length === limit,
    values: Object.fromEntries(
      definitions.map((definition, index) => {
        const line = (values[index] ?? []).map((value) => value && roundReading(value, definition, digits));
        return [definition.name, isForming ? [...line, null] : line];
      }),
    ),
  };
}

export function toWireBar({ timeMs, open, high, low, close, volume }: Bar): WireBar {
  return [timeMs, open, high, low, close, volume];
}
