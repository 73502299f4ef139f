import { readSources } from "@/features/quotes/data";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** Every source's quote of one symbol, and the best of the live ones. */
export const GET = createViewRoute<{ symbol: string }>(({ runtime, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  return instrument === undefined ? refuse(404, "Unknown symbol") : readSources(runtime, instrument);
});
