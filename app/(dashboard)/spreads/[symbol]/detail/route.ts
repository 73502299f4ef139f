import { createViewRoute, refuse } from "@/features/session/data-route";
import { readSpreadDetail } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** One symbol's spreads in full, over the query's period. */
export const GET = createViewRoute<{ symbol: string }>(({ runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const { period } = readView(Object.fromEntries(query), () => undefined);
  return readSpreadDetail(runtime, instrument, period);
});
