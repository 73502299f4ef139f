import { createViewRoute, refuse } from "@/features/session/data-route";
import { readNextReleases, readReactions, readReleaseIds } from "@/features/symbols/read-releases";
import { mayRead } from "@/lib/access/plans";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** What the events of `ids` did to a symbol; without `ids`, the releases around now with their usual range. */
export const GET = createViewRoute<{ symbol: string }>(async ({ account, runtime, query, params }) => {
  const instrument = instrumentBySymbol.get(params.symbol);
  if (instrument === undefined) return refuse(404, "Unknown symbol");
  if (!mayRead(account, "calendar")) return refuse(403, "Not part of the plan");
  const ids = readReleaseIds(query);
  if (ids === undefined) return readNextReleases(runtime, instrument);
  if (ids === null) return refuse(400, "ids must be one to ten ids of events");
  const reactions = await readReactions(runtime, instrument, { ids, withActual: mayRead(account, "actuals") });
  return reactions.length === 0 ? refuse(404, "Unknown event") : reactions;
});
