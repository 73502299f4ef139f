import * as z from "zod";
import { defineEndpoint, formatSuccess, type Handled } from "@/lib/api/engine/endpoint";
import { flagParam, sourceParam, symbolParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { findPermitted, findQuote, formatQuoteHeaders } from "@/lib/api/quotes/quote-lookup";
import { quoteReply } from "@/lib/api/quotes/quotes-replies";
import { quoteTable } from "@/lib/api/quotes/tables";
import { findBestPrice } from "@/lib/book/best-price";
import type { ServedQuote } from "@/lib/book/quote";
import type { Instrument } from "@/lib/market/instrument";

export const quote = defineEndpoint({
  method: "GET",
  path: "/v1/quote",
  summary: "The current bid and ask of one symbol, from the first live source or from the one you name.",
  access: "key",
  weight: 1,
  query: z.object({
    symbol: symbolParam,
    include_sources: flagParam.default(false).meta({
      description: "Adds best_bid, best_ask, best_spread, source_count and every source's own quote.",
    }),
    source: sourceParam.optional(),
  }),
  reply: quoteReply,
  table: quoteTable,
  errors: ["SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: QUOTE_HEADERS,

  handle({ query, key, services }) {
    const instrument = findPermitted(query.symbol, key, services.resolver);
    const served = findQuote(instrument, query.source, services.book);
    const headers = formatQuoteHeaders(served, services.marketNow());
    if (!query.include_sources) return { body: `{"success":true,"data":${served.json}}`, headers, isAscii: true };
    return answerWithSources(instrument, served, headers, services);
  },
});

function answerWithSources(instrument: Instrument, served: ServedQuote, headers: string, { book }: Services): Handled {
  const quotes = book.sources(instrument.symbol);
  const best = findBestPrice(quotes, served, instrument.digits);
  const body = formatSuccess({
    symbol: served.symbol,
    bid: served.bid,
    ask: served.ask,
    spread: served.spread,
    spread_pips: served.spreadPips,
    timestamp: new Date(served.timeMs).toISOString(),
    source: served.source,
    best_bid: best.bid,
    best_ask: best.ask,
    best_spread: best.spread,
    source_count: quotes.length,
    sources: quotes.map(({ source, bid, ask, spread, timeMs }) => ({
      broker: source,
      bid,
      ask,
      spread,
      updated: new Date(timeMs).toISOString(),
    })),
  });
  return { body, headers };
}
