import { formatReading } from "@/features/indicators/data";
import type { ScreenerChoice } from "@/features/indicators/screener-url";
import { getTitle } from "@/features/indicators/view-tabs";
import { indicators } from "@/lib/analytics/indicators/registry";
import { getIndicator } from "@/lib/api/indicators/indicator-lookup";
import { screenMarkets, selectScreened } from "@/lib/api/indicators/latest-values";
import type { QuoteState } from "@/lib/book/freshness";
import { instruments } from "@/lib/market/catalog";
import type { BarState } from "@/lib/market/expected-bars";
import { formatPrice } from "@/lib/market/price";
import { getBarEnd } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";

/**
 * Reads the symbols whose indicator, at the latest closed bar, lies between two values: the figures of /v1/screener. Each
 * value is computed once for each bar, for all readers.
 */
export async function readScreener(
  { book, history, marketNow }: Pick<Runtime, "book" | "history" | "marketNow">,
  { indicator: name, timeframe, min, max, category, sort }: ScreenerChoice,
): Promise<ScreenerData> {
  const indicator = getIndicator(name);
  const listed = instruments.filter((each) => category === null || each.category === category);
  const known = await screenMarkets(listed, { indicator, timeframe }, { history, marketNow });
  const selected = selectScreened(known, { min, max, sort });
  const rows = selected
    .slice(0, MOST_ROWS)
    .map(({ instrument: { symbol, name: fullName, digits }, value, barMs, state }) => {
      const quote = book.served(symbol);
      return {
        symbol,
        name: fullName,
        value: formatReading(value, indicator, digits),
        bid: quote === undefined ? null : formatPrice(quote.bid, digits),
        state: quote?.state ?? null,
        closedMs: getBarEnd(timeframe, barMs),
        barState: state,
      };
    });
  return { rows, matching: selected.length, withValue: known.length };
}

/** More than anybody reads; the bounds and the category narrow them. */
const MOST_ROWS = 300;

/** All indicators, for the choice of one. */
export const listedIndicators: readonly ListedIndicator[] = indicators.map(({ name, description, range }) => ({
  name,
  title: getTitle(description),
  range,
}));

/** The symbols whose value lies within the bounds. Numbers are formatted. */
export interface ScreenerData {
  /** The first of them in the chosen order. */
  readonly rows: readonly ScreenerRow[];
  /** How many there are in all. */
  readonly matching: number;
  /** How many symbols of the category have a value. */
  readonly withValue: number;
}

export interface ScreenerRow {
  readonly symbol: string;
  readonly name: string;
  readonly value: string;
  readonly bid: string | null;
  readonly state: QuoteState | null;
  /** When the bar of the value closed: UTC milliseconds. */
  readonly closedMs: number;
  readonly barState: BarState;
}

/** An indicator to choose. */
export interface ListedIndicator {
  readonly name: string;
  readonly title: string;
  readonly range: readonly [number, number] | null;
}
