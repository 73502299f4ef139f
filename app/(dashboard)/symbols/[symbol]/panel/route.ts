import { createViewRoute, refuse } from "@/features/session/data-route";
import { readPanel } from "@/features/symbols/read-panel";
import { readTimeframe } from "@/features/symbols/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The figures beside the chart of a symbol. */
export const GET = createViewRoute<{ symbol: string }>(({ account, runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  return readPanel(runtime, account, instrument, readTimeframe(query));
});
