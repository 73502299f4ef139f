import type { StrengthData, StrengthLine, WidestPair } from "@/features/strength/types";
import { CURRENCIES, currencyPairs } from "@/lib/analytics/strength/currencies";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmaps";
import type { Runtime } from "@/lib/runtime";

/** The strength page's data: the figures of /v1/heatmap, ranked. */
export async function readStrength(
  { heatmaps }: Pick<Runtime, "heatmaps">,
  timeframe: HeatmapTimeframe,
): Promise<StrengthData> {
  const heatmap = await heatmaps.read(timeframe);
  if (heatmap === null) return { timeframe, lines: null, timeMs: null, widestPair: null };
  const lines = CURRENCIES.map((currency) => ({ currency, ...heatmap.currencies[currency] }));
  lines.sort((a, b) => b.strength - a.strength);
  return { timeframe, lines, timeMs: heatmap.timeMs, widestPair: findWidestPair(lines) };
}

/**
 * Returns the pair of the strongest and the weakest currency, and the side that follows the stronger one: buying a pair
 * buys its first currency. `lines` are strongest first. Null while all strengths are equal.
 */
export function findWidestPair(lines: readonly Pick<StrengthLine, "currency" | "strength">[]): WidestPair | null {
  const [strongest, weakest] = [lines[0], lines.at(-1)];
  if (strongest === undefined || weakest === undefined || strongest.strength <= weakest.strength) return null;
  const places = [strongest, weakest].map(({ currency }) => CURRENCIES.findIndex((each) => each === currency));
  const pair = currencyPairs.find(({ base, quote }) => places.includes(base) && places.includes(quote));
  if (pair === undefined) return null;
  const side = pair.base === places[0] ? "buy" : "sell";
  return { symbol: pair.symbol, side, strongest: strongest.currency, weakest: weakest.currency };
}
