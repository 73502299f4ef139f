import { formatReading } from "@/features/indicators/data";
import type { ScreenerChoice } from "@/features/indicators/screener-url";
import { getTitle } from "@/features/indicators/view-tabs";
import { listUsualNames } from "@/lib/analytics/indicators/family";
import { findIndicator, indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { ApiError } from "@/lib/api/engine/errors";
import { getIndicator, isDefinedFor } from "@/lib/api/indicators/indicator-lookup";
import { screenMarkets, selectScreened } from "@/lib/api/indicators/latest-values";
import type { QuoteState } from "@/lib/book/freshness";
import { instruments } from "@/lib/market/catalog";
import type { BarState } from "@/lib/market/expected-bars";
import { formatPrice } from "@/lib/market/price";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
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
  if (!isDefinedFor(indicator, timeframe)) {
    return { rows: [], matching: 0, withValue: 0, longest: indicator.longest ?? null };
  }
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
  return { rows, matching: selected.length, withValue: known.length, longest: null };
}

/** More than anybody reads; the bounds and the category narrow them. */
const MOST_ROWS = 300;

/** All indicators of the list, and of each family those with the usual parameters, for the choice of one. */
export const suggestedIndicators: readonly ListedIndicator[] = [
  ...new Set([
    ...indicators,
    ...indicatorFamilies.flatMap(listUsualNames).flatMap((name) => findIndicator(name) ?? []),
  ]),
].map(({ name, description }) => ({ name, title: getTitle(description) }));

export function isIndicator(name: string): boolean {
  return findIndicator(name) !== undefined;
}

/** What an indicator is, and the range of its values. */
export function describeIndicator(name: string): ChosenIndicator {
  const { description, range } = getIndicator(name);
  return { title: getTitle(description), range };
}

/** Says why a name is not an indicator. */
export function explainUnknown(name: string): string {
  try {
    getIndicator(name);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
  return "";
}

/** The symbols whose value lies within the bounds. Numbers are formatted. */
export interface ScreenerData {
  /** The first of them in the chosen order. */
  readonly rows: readonly ScreenerRow[];
  /** How many there are in all. */
  readonly matching: number;
  /** How many symbols of the category have a value. */
  readonly withValue: number;
  /** The longest timeframe of the indicator, if the chosen one is longer; else null. */
  readonly longest: Timeframe | null;
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
}

/** The indicator that is screened by. */
export interface ChosenIndicator {
  readonly title: string;
  readonly range: readonly [number, number] | null;
}
