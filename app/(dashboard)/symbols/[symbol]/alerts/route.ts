import { createDataRoute, refuse } from "@/features/session/data-route";
import { changeChartAlert, readChartAlerts } from "@/features/symbols/own-alerts";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The account's active alerts on the price of a symbol. */
export const GET = createDataRoute<{ symbol: string }>(({ runtime, account, params: { symbol } }) =>
  instrumentBySymbol.has(symbol) ? readChartAlerts(runtime, account, symbol) : refuse(404, "Unknown symbol"),
);

/** Creates, moves or deletes one. */
export const PUT = createDataRoute<{ symbol: string }>(({ runtime, account, request, params: { symbol } }) =>
  instrumentBySymbol.has(symbol) ? changeChartAlert(runtime, account, symbol, request) : refuse(404, "Unknown symbol"),
);
