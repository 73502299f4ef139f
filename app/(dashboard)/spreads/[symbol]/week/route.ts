import { createViewRoute, refuse } from "@/features/session/data-route";
import { readSpreadWeek } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** One symbol's usual spreads by weekday and hour of the query's zone. */
export const GET = createViewRoute<{ symbol: string }>(({ runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const { zone } = readView(Object.fromEntries(query), () => undefined);
  return readSpreadWeek(runtime, instrument, zone);
});
