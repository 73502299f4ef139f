import { readIndicators, readOwnNames } from "@/features/indicators/data";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { TIMEFRAMES } from "@/lib/market/timeframe";

/** The indicators of one symbol at one timeframe. */
export const GET = createViewRoute(({ runtime, query }) => {
  const instrument = instrumentBySymbol.get(query.get("symbol") ?? "");
  const timeframe = TIMEFRAMES.find((name) => name === query.get("timeframe"));
  if (instrument === undefined || timeframe === undefined) return refuse(404, "Unknown symbol or timeframe");
  return readIndicators(runtime, instrument, timeframe, readOwnNames(query.get("indicators") ?? ""));
});
