import * as z from "zod";
import { CURRENCIES, type Currency } from "@/lib/analytics/strength/currencies";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmap-timeframes";
import { isoTime, succeeded } from "@/lib/api/engine/replies";

const reading = z
  .strictObject({
    strength: z.number().min(0).max(10).meta({ description: "0 extremely weak, 10 extremely strong, about 5 neutral" }),
    trend: z.enum(["bullish", "bearish", "neutral"]),
    change: z.number().meta({ description: "Change of strength over the last bar" }),
    pairs_analyzed: z.int().min(0).max(7),
  })
  .meta({ id: "CurrencyStrength" });

const currency = z.enum(CURRENCIES).nullable();
const timeframe = z.enum(HEATMAP_TIMEFRAMES);

const strength = z
  .strictObject({
    type: z.literal("strength"),
    timeframe,
    currencies: z.strictObject(
      Object.fromEntries(CURRENCIES.map((name) => [name, reading])) as Record<Currency, typeof reading>,
    ),
    strongest: currency.meta({ description: "null while all are equally strong" }),
    weakest: currency,
    range: z.number().meta({ description: "Strength of the strongest less that of the weakest" }),
    timestamp: isoTime.meta({ description: "When the latest closed bar ended" }),
  })
  .meta({ id: "StrengthHeatmap" });

const coefficient = z
  .number()
  .min(-1)
  .max(1)
  .nullable()
  .meta({ description: "null with fewer than 20 common bars, or where one side does not move" });

const correlation = z
  .strictObject({
    type: z.literal("correlation"),
    timeframe,
    correlation_matrix: z
      .record(z.string(), z.record(z.string(), coefficient))
      .meta({ description: "Each currency or symbol with every other and itself" }),
    available: z.literal(true),
    bars: z.int().meta({ description: "Bars behind the coefficient that has the fewest" }),
    timestamp: isoTime.meta({ description: "When the latest closed bar ended" }),
  })
  .meta({ id: "CorrelationHeatmap" });

export const heatmapReply = z.strictObject({ success: succeeded, data: z.union([strength, correlation]) });
