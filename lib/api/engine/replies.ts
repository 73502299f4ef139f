import { z } from "zod";
import { CATEGORIES, WEEKDAYS } from "@/lib/market/instrument";

/** The shapes of answers, as the specification names their fields. */

export const isoTime = z.iso.datetime().meta({ description: "ISO 8601, UTC" });

const sourceQuote = z.strictObject({
  broker: z.string(),
  bid: z.number(),
  ask: z.number(),
  spread: z.number(),
  updated: isoTime,
});

const quote = z.strictObject({
  symbol: z.string(),
  bid: z.number(),
  ask: z.number(),
  spread: z.number().meta({ description: "ask − bid" }),
  spread_pips: z.number(),
  timestamp: isoTime.meta({ description: "When the broker made the price: the authority on its age" }),
  source: z.string(),
});

const quoteWithSources = quote.extend({
  best_bid: z.number(),
  best_ask: z.number(),
  best_spread: z.number().meta({ description: "Negative when the best prices of different brokers cross" }),
  source_count: z.int(),
  sources: z.array(sourceQuote),
});

export const succeeded = z.literal(true);

export const quoteReply = z.strictObject({ success: succeeded, data: z.union([quote, quoteWithSources]) });

const bulk = {
  quotes: z.array(quote.partial().required({ symbol: true })),
  count: z.int(),
  not_found: z.array(z.string()),
  timestamp: z
    .union([isoTime, z.literal("")])
    .meta({ description: "Latest update of the data; never the response time" }),
};

export const quotesReply = z.union([
  z.strictObject({ success: succeeded, data: z.strictObject(bulk) }),
  z.strictObject({ success: succeeded, ...bulk }),
]);

const symbolSummary = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  category: z.enum(CATEGORIES),
  base_currency: z.string().nullable(),
  quote_currency: z.string().nullable(),
  digits: z.int(),
  tradable: z.boolean().meta({ description: "Whether its market is open now" }),
});

export const pagination = z.strictObject({ offset: z.int(), limit: z.int(), total: z.int(), has_more: z.boolean() });

export const symbolsReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({ symbols: z.array(symbolSummary), total: z.int(), pagination }),
});

export const symbolReply = z.strictObject({
  success: succeeded,
  data: symbolSummary.extend({
    description: z.string(),
    point: z.number(),
    pip_size: z.number(),
    contract_size: z.number(),
    min_volume: z.number(),
    max_volume: z.number(),
    volume_step: z.number(),
    swap_long: z.number().nullable(),
    swap_short: z.number().nullable(),
    margin_currency: z.string().nullable(),
    trading_hours: z.strictObject(
      Object.fromEntries(WEEKDAYS.map((day) => [day, z.string()])) as Record<(typeof WEEKDAYS)[number], z.ZodString>,
    ),
    aliases: z.array(z.string()),
    resolved_by: z.string().meta({ description: "The rule that led from the given spelling to this symbol" }),
  }),
});

export const errorReply = z.object({
  success: z.literal(false),
  error: z.looseObject({ code: z.string(), message: z.string() }),
});

export const flatErrorReply = z.strictObject({
  error: z.string().meta({ description: "The status in words" }),
  message: z.string(),
  code: z.int().meta({ description: "The status" }),
  retry_after: z.int().optional().meta({ description: "With 429 only: seconds until calls are taken again" }),
});

const component = z.strictObject({ status: z.enum(["ok", "degraded", "down"]) });

export const healthReply = z.strictObject({
  status: z.enum(["ok", "degraded", "down"]),
  components: z.record(z.string(), component),
});
