import { HEATMAP_TIMEFRAMES, type HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";

/** The view in the page's address. */
export interface StrengthChoice {
  readonly timeframe: HeatmapTimeframe;
  /** The currency whose seven pairs are correlated. */
  readonly of: string;
  /** The currencies without a line in the chart. */
  readonly hidden: readonly string[];
}

export const CURRENCY_CHOICES = ["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"] as const;

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are replaced by their defaults. */
export function readStrengthChoice({ timeframe, of, hide }: Params): StrengthChoice {
  return {
    timeframe: HEATMAP_TIMEFRAMES.find((each) => each === timeframe) ?? "H4",
    of: CURRENCY_CHOICES.find((each) => each === of) ?? "USD",
    hidden: typeof hide === "string" ? CURRENCY_CHOICES.filter((each) => hide.split(",").includes(each)) : [],
  };
}

/** Writes the address of a view. It always has the timeframe. */
export function toStrengthHref({ timeframe, of, hidden }: StrengthChoice): string {
  const params = new URLSearchParams({ timeframe });
  if (of !== "USD") params.set("of", of);
  if (hidden.length > 0) params.set("hide", hidden.join(","));
  return `/strength?${params.toString().replaceAll("%2C", ",")}`;
}
