import { createViewRoute, refuse } from "@/features/session/data-route";
import { readIndicatorNames } from "@/features/symbols/read-choice";
import { readChart } from "@/features/symbols/read-page";
import { readTimeframe } from "@/features/symbols/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** What one chart of a screen shows at first. */
export const GET = createViewRoute<{ symbol: string }>(({ account, runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const choice = {
    timeframe: readTimeframe(query),
    indicators: readIndicatorNames(query),
    compare: null,
    price: "bid" as const,
  };
  return readChart(runtime, account, instrument, choice);
});
