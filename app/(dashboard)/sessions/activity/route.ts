import { DEFAULT_ZONE } from "@/components/shared/zone";
import { createViewRoute, refuse } from "@/features/session/data-route";
import { readActivity } from "@/features/sessions/data";
import { readSessionsChoice } from "@/features/sessions/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The usual spread and range of the query's symbol by hour of its zone. */
export const GET = createViewRoute(({ runtime, query }) => {
  const find = (spelling: string) => runtime.resolver.find(spelling)?.symbol;
  const { symbol, zone } = readSessionsChoice(Object.fromEntries(query), find, DEFAULT_ZONE);
  const instrument = instrumentBySymbol.get(symbol);
  return instrument === undefined ? refuse(404, "Unknown symbol") : readActivity(runtime, instrument, zone);
});
