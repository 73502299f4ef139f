import { createViewRoute, DEAR, refuse } from "@/features/session/data-route";
import { FIRST_BARS } from "@/features/symbols/bars-url";
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
}, weighBars);

/** Bars of the ask and the mid are joined from seconds, and long series with indicators take as long. */
function weighBars(query: URLSearchParams): number {
  const { price, indicators, limit } = readBarRequest(query);
  return price !== "bid" || limit * (indicators.length + 1) > MOST_CHEAP_BARS ? DEAR : 1;
}

/** The first bars of a chart with eight lines. */
const MOST_CHEAP_BARS = 9 * FIRST_BARS;
