import type { Services } from "@/lib/api/engine/services";
import { formatModeHeader, formatOriginHeader } from "@/lib/api/quotes/quote-lookup";
import type { Instrument } from "@/lib/market/instrument";

/**
 * Finds the newest quote of several instruments. Returns its time in Unix seconds, 0 before the first quote, and the
 * header that marks quotes that are not live.
 */
export function findNewestQuote(
  instruments: readonly Instrument[],
  { book, origins, marketNow }: Pick<Services, "book" | "origins" | "marketNow">,
): { readonly updatedAt: number; readonly headers: string } {
  const nowMs = marketNow();
  let newestMs = 0;
  let headers = "";
  for (const { symbol } of instruments) {
    const quote = book.served(symbol, nowMs);
    if (quote === undefined) continue;
    newestMs = Math.max(newestMs, quote.timeMs);
    if (quote.mode !== "live") headers = formatModeHeader(quote.mode);
  }
  // What is computed from them needs their history too.
  if (headers === "")
    headers = formatOriginHeader(
      origins,
      instruments.map(({ symbol }) => symbol),
    );
  return { updatedAt: Math.floor(newestMs / 1000), headers };
}
