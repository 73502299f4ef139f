import { countDigits, getSpread, roundPrice } from "@/lib/market/price";

/**
 * One symbol's trading day, in prices. It starts at 17:00 in New York, like a D1 bar. While a market is closed, its day is
 * the last one with prices.
 */
export interface TradingDay {
  /** When the day began: UTC milliseconds. */
  readonly startMs: number;
  /**
   * The last bid before the day, from the trading day before it; null if that day has no prices. A day on which the
   * market does not open is no trading day: Friday comes before Monday.
   */
  readonly previousClose: number | null;
  /** The first, highest and lowest bid of the day. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
}

/** The price that a day's change is measured from: the bid at its start. Without one, the day's first bid. */
export function getDayReference({ previousClose, open }: Pick<TradingDay, "previousClose" | "open">): number {
  return previousClose ?? open;
}

/** The change of a bid since the start of the day: in price units, exact, and in percent. */
export function computeDayChange(
  day: Pick<TradingDay, "previousClose" | "open">,
  bid: number,
  digits: number,
): { readonly change: number; readonly percent: number } {
  const reference = getDayReference(day);
  // A price may be finer than those that the caller knows.
  const change = getSpread(reference, bid, Math.max(digits, countDigits(reference), countDigits(bid)));
  return { change, percent: reference === 0 ? 0 : roundPrice((change / reference) * 100, 2) };
}

/** Where a bid is between the day's low (0) and high (1); 0.5 if they are the same. */
export function getDayPosition({ high, low }: Pick<TradingDay, "high" | "low">, bid: number): number {
  if (high <= low) return 0.5;
  return Math.min(1, Math.max(0, (bid - low) / (high - low)));
}

/** The day with a bid in its range; the same object if the bid is in it already. */
export function extendDay(day: TradingDay, bid: number): TradingDay {
  if (bid <= day.high && bid >= day.low) return day;
  return { ...day, high: Math.max(day.high, bid), low: Math.min(day.low, bid) };
}
