import type { QuoteState } from "@/lib/book/freshness";

/** The symbols whose value lies within the bounds. Numbers are formatted. */
export interface ScreenerData {
  readonly rows: readonly ScreenerRow[];
  /** How many symbols of the category have a value. */
  readonly withValue: number;
}

export interface ScreenerRow {
  readonly symbol: string;
  readonly name: string;
  readonly value: string;
  readonly bid: string | null;
  readonly state: QuoteState | null;
}

/** An indicator to choose. */
export interface ListedIndicator {
  readonly name: string;
  readonly title: string;
  readonly range: readonly [number, number] | null;
}
