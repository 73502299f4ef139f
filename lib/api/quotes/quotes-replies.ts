import * as z from "zod";
import { isoTime, succeeded } from "@/lib/api/engine/replies";

const sourceQuote = z
  .strictObject({
    broker: z.string(),
    bid: z.number(),
    ask: z.number(),
    spread: z.number(),
    updated: isoTime,
  })
  .meta({ id: "SourceQuote" });

const quote = z
  .strictObject({
    symbol: z.string(),
    bid: z.number(),
    ask: z.number(),
    spread: z.number().meta({ description: "ask − bid" }),
    spread_pips: z.number(),
    timestamp: isoTime.meta({ description: "When the broker made the price: the authority on its age" }),
    source: z.string(),
  })
  .meta({ id: "Quote" });

const quoteWithSources = quote
  .extend({
    best_bid: z.number(),
    best_ask: z.number(),
    best_spread: z.number().meta({ description: "Negative when the best prices of different brokers cross" }),
    source_count: z.int(),
    sources: z.array(sourceQuote),
  })
  .meta({ id: "QuoteWithSources" });

export const quoteReply = z.strictObject({ success: succeeded, data: z.union([quote, quoteWithSources]) });

const bulk = {
  quotes: z.array(
    quote
      .partial()
      .required({ symbol: true })
      .meta({ id: "QuoteFields", description: "The fields that were asked for" }),
  ),
  count: z.int(),
  not_found: z.array(z.string()),
  timestamp: z
    .union([isoTime, z.literal("")])
    .meta({ description: "Latest update of the data; never the response time" }),
};

export const quotesReply = z.union([
  z.strictObject({ success: succeeded, data: z.strictObject(bulk).meta({ id: "Quotes" }) }),
  z.strictObject({ success: succeeded, ...bulk }),
]);
