import type { PastPrice } from "@/lib/feeds/feed";
import type { SecondRow } from "@/lib/history/hour-columns";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { SECOND_MS } from "@/lib/time/units";

/** An hour whose recording has a gap. */

export const START = Date.UTC(2026, 0, 14, 14);
export const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
/** The connection was lost in the middle of the second minute, and came back in the fifth. */
export const GAP = { fromMs: START + 90 * SECOND_MS, toMs: START + 270 * SECOND_MS };

export function row(at: number, bid: number, updates = 1): SecondRow {
  const range = { open: bid, high: bid, low: bid };
  return { symbol: "EURUSD", digits: 5, second: START / SECOND_MS + at, bid, ask: bid + 10, ...range, updates };
}

/** What a venue has of each five seconds, oldest first. */
export function createPast(fromMs: number, toMs: number): PastPrice[] {
  const prices: PastPrice[] = [];
  for (let timeMs = fromMs; timeMs < toMs; timeMs += 5 * SECOND_MS) {
    const bid = 1.08 + (timeMs - START) / SECOND_MS / 1e5;
    prices.push({ timeMs, bid, ask: bid + 0.0001, updates: 3 });
  }
  return prices;
}
