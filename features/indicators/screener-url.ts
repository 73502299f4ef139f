import type { ApiRequest } from "@/components/shared/write-code";
import { CATEGORIES, type Category } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { readTypedNumber } from "@/lib/text/typed-number";

/** The filters in the address of the screener. */
export interface ScreenerChoice {
  /** The name of an indicator. */
  readonly indicator: string;
  readonly timeframe: Timeframe;
  /** The lowest and the highest value that match; null for no bound. */
  readonly min: number | null;
  readonly max: number | null;
  /** Null for all. */
  readonly category: Category | null;
  readonly sort: (typeof SCREENER_SORTS)[number];
}

const SCREENER_SORTS = ["desc", "asc"] as const;
const DEFAULT_INDICATOR = "RSI_14";

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are replaced by their defaults; `isKnown` tells which indicators there are. */
export function readScreenerChoice(params: Params, isKnown: (name: string) => boolean): ScreenerChoice {
  const { indicator } = params;
  return {
    indicator: typeof indicator === "string" && isKnown(indicator.trim()) ? indicator.trim() : DEFAULT_INDICATOR,
    timeframe: TIMEFRAMES.find((each) => each === params.timeframe) ?? "H1",
    min: readBound(params.min),
    max: readBound(params.max),
    category: CATEGORIES.find((each) => each === params.category) ?? null,
    sort: SCREENER_SORTS.find((each) => each === params.sort) ?? "desc",
  };
}

/** Returns the query of a choice, without its defaults except indicator and timeframe. */
export function toScreenerQuery({ indicator, timeframe, min, max, category, sort }: ScreenerChoice): string {
  const params = new URLSearchParams({ indicator, timeframe });
  if (min !== null) params.set("min", String(min));
  if (max !== null) params.set("max", String(max));
  if (category !== null) params.set("category", category);
  if (sort !== "desc") params.set("sort", sort);
  return params.toString();
}

/** The call of the API for a choice. The API has no categories; its answer has all symbols between the bounds. */
export function toScreenerRequest({ indicator, timeframe, min, max, sort }: ScreenerChoice): ApiRequest {
  return {
    path: "/v1/screener",
    query: {
      indicator,
      timeframe,
      ...(min === null ? {} : { min_val: min }),
      ...(max === null ? {} : { max_val: max }),
      sort,
    },
  };
}

/** The name of an indicator in the address that there is not; null without one. */
export function findUnknownIndicator({ indicator }: Params, isKnown: (name: string) => boolean): string | null {
  return typeof indicator === "string" && indicator.trim() !== "" && !isKnown(indicator.trim())
    ? indicator.trim()
    : null;
}

/** Reads a bound such as "30" or "−0,5"; null for a text that is no number, or may be two. */
export function readBound(value: unknown): number | null {
  if (typeof value !== "string" || value.length > 40) return null;
  const read = readTypedNumber(value);
  return "value" in read && Math.abs(read.value) < 1e12 ? read.value : null;
}
