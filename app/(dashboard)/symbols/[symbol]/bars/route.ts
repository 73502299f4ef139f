import { createViewRoute, refuse } from "@/features/session/data-route";
import { readBarPage, readBarRequest } from "@/features/symbols/read-bars";
import { mayRead } from "@/lib/access/plans";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** Bars of one symbol, with the values of indicators for accounts whose plan includes their history. */
export const GET = createViewRoute<{ symbol: string }>(({ account, runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const request = readBarRequest(query);
  const indicators = mayRead(account, "indicatorHistory") ? request.indicators : [];
  return readBarPage(runtime.history, instrument, { ...request, indicators });
});
