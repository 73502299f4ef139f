import { createViewRoute, refuse } from "@/features/session/data-route";
import { readMarks, readMarksRequest } from "@/features/symbols/marks-url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** Sessions, events and spreads around the bars of a span of time. */
export const GET = createViewRoute<{ symbol: string }>(({ account, runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  const request = readMarksRequest(query);
  return request === null
    ? refuse(400, "from and to must be UTC milliseconds")
    : readMarks(runtime, account, instrument, request);
});
