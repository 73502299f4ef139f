import type { LiveRequest } from "@/features/symbols/stream/read-live";
import { readTimeframe } from "@/features/symbols/url";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** Reads the address of a symbol's live data; null for an unknown symbol. */
export function readLiveRequest(symbol: string, query: URLSearchParams): LiveRequest | null {
  const instrument = instrumentBySymbol.get(symbol);
  if (instrument === undefined) return null;
  const compare = query.get("compare") ?? "";
  return { instrument, timeframe: readTimeframe(query), compare: instrumentBySymbol.has(compare) ? compare : null };
}
