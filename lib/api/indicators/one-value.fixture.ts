import { generateBars } from "@/lib/analytics/indicators/bars.fixture";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { runIndicator } from "@/lib/analytics/indicators/run";
import { roundReading } from "@/lib/api/indicators/latest-values";
import type { Bar } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getBarStart } from "@/lib/market/timeframe";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** An invented past of two symbols, and the value of every indicator at each of its bars, computed from the first one. */

export const instruments = ["EURUSD", "USDJPY"].map((symbol) => instrumentBySymbol.get(symbol) as Instrument);
export const COUNT = 2_300;
export const NOW = Date.UTC(2026, 10, 20, 12);
/** Bars of this many days stay: fewer than were recorded. */
export const KEPT_DAYS = 7;

export const lengths = { D1: DAY_MS, H4: 4 * HOUR_MS, H1: HOUR_MS, M5: 5 * MINUTE_MS } as const;
export type Tested = keyof typeof lengths;
/** Of these timeframes no bar is removed. */
export const WHOLE = ["H1", "H4", "D1"] as const;
export const timeframes = Object.keys(lengths) as Tested[];

const market = new Map(
  instruments.flatMap(({ symbol, digits }, seed) =>
    timeframes.map((timeframe) => {
      const bars = generateBars(COUNT, { seed: seed + 5, digits, price: digits === 3 ? 150 : 1.1 });
      const startMs = getBarStart(timeframe, NOW) - COUNT * lengths[timeframe];
      return [`${symbol} ${timeframe}`, bars.map((bar, at) => ({ ...bar, timeMs: startMs + at * lengths[timeframe] }))];
    }),
  ),
);
export const barsOf = (symbol: string, timeframe: Tested): readonly Bar[] => market.get(`${symbol} ${timeframe}`) ?? [];

/** The values at every bar as answers show them, by name. */
const expected = new Map<string, readonly (number | null)[]>();
for (const { symbol } of instruments)
  for (const timeframe of timeframes) for (const { name } of indicators) valuesOf(symbol, timeframe, name);

export function valuesOf(symbol: string, timeframe: Tested, name: string): readonly (number | null)[] {
  const key = `${symbol} ${timeframe} ${name}`;
  const known = expected.get(key);
  const definition = findIndicator(name);
  if (known !== undefined || definition === undefined) return known ?? [];
  const { digits } = instrumentBySymbol.get(symbol) as Instrument;
  const values = runIndicator(definition, barsOf(symbol, timeframe));
  const shown = values.map((value) => (value === null ? null : roundReading(value, definition, digits)));
  expected.set(key, shown);
  return shown;
}
