import * as z from "zod";
import { pagination, succeeded } from "@/lib/api/engine/replies";
import { CATEGORIES, WEEKDAYS } from "@/lib/market/instrument";

const symbolSummary = z
  .strictObject({
    symbol: z.string(),
    name: z.string(),
    category: z.enum(CATEGORIES),
    base_currency: z.string().nullable(),
    quote_currency: z.string().nullable(),
    digits: z.int(),
    tradable: z.boolean().meta({ description: "Whether its market is open now" }),
  })
  .meta({ id: "SymbolSummary" });

export const symbolsReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({ symbols: z.array(symbolSummary), total: z.int(), pagination }),
});

export const symbolReply = z.strictObject({
  success: succeeded,
  data: symbolSummary
    .extend({
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
    })
    .meta({ id: "SymbolDetails" }),
});
