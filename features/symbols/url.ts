import { PRICE_SIDES, type PriceSide } from "@/lib/market/price";
import { hasAllSides, readTimeframe as readAny, type Timeframe } from "@/lib/market/timeframe";
import { formatBarTime } from "@/lib/time/iso-time";

/** What the chart can draw besides the bars. */
export const LAYERS = ["volume", "sessions", "events", "quotes", "spread"] as const;
export type Layer = (typeof LAYERS)[number];
export const DEFAULT_LAYERS: readonly Layer[] = ["volume", "events"];

/**
 * How bars are drawn. A hollow candle closed above its open; its colour tells whether it closed above the bar before. Renko
 * draws bricks in place of bars.
 */
export const CHART_STYLES = ["candles", "hollow", "bars", "line", "area", "heikin-ashi", "renko"] as const;
export type ChartStyle = (typeof CHART_STYLES)[number];

/** How prices are spaced: by their difference, by their ratio, or as percent of the first shown bar. */
export const PRICE_SCALES = ["linear", "log", "percent"] as const;
export type PriceScale = (typeof PRICE_SCALES)[number];

const DEFAULT_TIMEFRAME: Timeframe = "H1";
/** Each indicator is a line, and oscillators have a pane of their own. */
export const MOST_INDICATORS = 8;

/** The choices on the chart of a symbol. They are in the page's address. */
export interface ChartChoice {
  readonly timeframe: Timeframe;
  /** Names of indicators, in the order in which they were added. */
  readonly indicators: readonly string[];
  readonly layers: readonly Layer[];
  /** The symbol that is compared with this one; null for none. */
  readonly compare: string | null;
  readonly style: ChartStyle;
  readonly scale: PriceScale;
  /** The price of the bars, where they are short enough. */
  readonly price: PriceSide;
  /** The height of a brick in pips; null for that of the usual range of a bar. */
  readonly brick: number | null;
  /** The first shown moment, UTC milliseconds; null for the usual number of bars. */
  readonly fromMs: number | null;
  /** The last shown moment, UTC milliseconds; null while the chart follows the newest bar. */
  readonly toMs: number | null;
}

/** Reads a number of pips, "12.5" or "12,5"; null for others. */
export function readBrick(text: string): number | null {
  const pips = /^\d{1,6}([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(",", ".")) : 0;
  return pips > 0 ? pips : null;
}

export function readTimeframe(search: URLSearchParams): Timeframe {
  return readAny(search.get("timeframe") ?? "") ?? DEFAULT_TIMEFRAME;
}

/** Reads the price of the bars; the bid for any other text. */
export function readPrice(search: URLSearchParams): PriceSide {
  return PRICE_SIDES.find((side) => side === search.get("price")) ?? "bid";
}

/** The price of the bars of a timeframe: long ones are of the bid. */
export function chooseBarPrice(timeframe: Timeframe, price: PriceSide): PriceSide {
  return hasAllSides(timeframe) ? price : "bid";
}

/** Writes the address of a symbol's page, without the defaults. */
export function toSymbolHref(symbol: string, choice: ChartChoice): string {
  const { timeframe, indicators, layers, compare, style, scale, price, brick, fromMs, toMs } = choice;
  const search = new URLSearchParams();
  if (timeframe !== DEFAULT_TIMEFRAME) search.set("timeframe", timeframe);
  if (indicators.length > 0) search.set("indicators", indicators.join());
  if (layers.join() !== DEFAULT_LAYERS.join()) search.set("layers", layers.join());
  if (compare !== null) search.set("compare", compare);
  if (style !== CHART_STYLES[0]) search.set("style", style);
  if (scale !== PRICE_SCALES[0]) search.set("scale", scale);
  if (price !== "bid") search.set("price", price);
  if (brick !== null) search.set("brick", String(brick));
  if (fromMs !== null) search.set("from", formatBarTime(fromMs));
  if (fromMs !== null && toMs !== null) search.set("to", formatBarTime(toMs));
  const path = `/symbols/${symbol}`;
  return search.size === 0 ? path : `${path}?${search.toString().replaceAll("%2C", ",").replaceAll("%3A", ":")}`;
}
