import type { StrengthData } from "@/features/strength/types";
import { CURRENCIES, type Currency, currencyPairs } from "@/lib/analytics/strength/currencies";
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
  const [strongest, weakest] = [lines[0], lines.at(-1)];
  const isApart = strongest !== undefined && weakest !== undefined && strongest.strength > weakest.strength;
  const widestPair = isApart ? findPair(strongest.currency, weakest.currency) : null;
  return { timeframe, lines, timeMs: heatmap.timeMs, widestPair };
}

function findPair(one: Currency, other: Currency): string | null {
  const places = [CURRENCIES.indexOf(one), CURRENCIES.indexOf(other)];
  const pair = currencyPairs.find(({ base, quote }) => places.includes(base) && places.includes(quote));
  return pair?.symbol ?? null;
}
