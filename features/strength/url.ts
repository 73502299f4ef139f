import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";

/** The view in the page's address. */
export interface StrengthChoice {
  readonly timeframe: HeatmapTimeframe;
  /** The currency whose seven pairs are correlated. */
  readonly of: string;
}

export const CURRENCY_CHOICES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are replaced by their defaults. */
export function readStrengthChoice({ timeframe, of }: Params): StrengthChoice {
  return {
    timeframe: HEATMAP_TIMEFRAMES.find((each) => each === timeframe) ?? "H4",
    of: CURRENCY_CHOICES.find((each) => each === of) ?? "USD",
  };
}

/** Writes the address of a view. It always has the timeframe. */
export function toStrengthHref({ timeframe, of }: StrengthChoice): string {
  const params = new URLSearchParams({ timeframe });
  if (of !== "USD") params.set("of", of);
  return `/strength?${params}`;
}
