import { createDataRoute, refuse } from "@/features/session/data-route";
import { saveOwnDrawings } from "@/features/symbols/own-drawings";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The account's drawings on the chart of a symbol. */
export const GET = createDataRoute<{ symbol: string }>(async ({ runtime, account, params: { symbol } }) =>
  instrumentBySymbol.has(symbol)
    ? { drawings: await runtime.drawings.read(account.id, symbol) }
    : refuse(404, "Unknown symbol"),
);

/** Changes them. */
export const PUT = createDataRoute<{ symbol: string }>(({ runtime, account, request, params: { symbol } }) =>
  instrumentBySymbol.has(symbol) ? saveOwnDrawings(runtime, account, symbol, request) : refuse(404, "Unknown symbol"),
);
