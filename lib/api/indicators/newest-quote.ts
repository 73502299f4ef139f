import type { Services } from "@/lib/api/engine/services";
import { formatModeHeader } from "@/lib/api/quotes/quote-lookup";
import type { Instrument } from "@/lib/market/instrument";

/** What an answer on several instruments says of their quotes: Unix seconds of the newest, 0 before the first, and whether they are a real market's. */
export function findNewestQuote(
  instruments: readonly Instrument[],
  { book, marketNow }: Pick<Services, "book" | "marketNow">,
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
  return { updatedAt: Math.floor(newestMs / 1000), headers };
}
