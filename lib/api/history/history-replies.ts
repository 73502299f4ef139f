import * as z from "zod";
import { timeframe } from "@/lib/api/engine/replies";

/** The schemas of answers with recorded data. */

const offsetTime = z.iso.datetime({ offset: true }).meta({ description: "ISO 8601 with +00:00" });

const tick = z
  .strictObject({
    time: offsetTime,
    bid: z.number(),
    ask: z.number(),
    flags: z.literal(0).meta({ description: "Always 0; carries no information" }),
  })
  .meta({ id: "Tick" });

/** How long prices of an answer are stored. */
export const retention = z
  .string()
  .nullable()
  .meta({
    description: "How long bars of this timeframe are stored, null if for ever",
    examples: ["90 days"],
  });

const gap = z
  .strictObject({
    from: offsetTime.meta({ description: "The first second without a row" }),
    to: offsetTime.meta({ description: "The second after the last one without a row" }),
    seconds: z.int(),
  })
  .meta({ id: "Gap" });

const sourceGap = z
  .strictObject({
    from: offsetTime.meta({ description: "The last price of the source before" }),
    to: offsetTime.meta({ description: "Its first price after" }),
    source: z.string(),
    reason: z
      .enum(["disconnected", "paused", "reloaded", "stopped"])
      .meta({ description: "Its connection, an operator, a change of its settings, or no server ran" }),
  })
  .meta({ id: "SourceGap" });

export const ticksReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    symbol: z.string(),
    ticks: z.array(tick),
    count: z.int().meta({ description: "Length of ticks" }),
    gaps: z.array(gap).optional().meta({ description: "With include=gaps: the holes in the range, oldest first" }),
    source_gaps: z
      .array(sourceGap)
      .optional()
      .meta({ description: "Times in the range, if any, for which a source's prices are lost or not filled in yet" }),
  }),
});

const candle = z
  .strictObject({
    time: offsetTime.meta({ description: "When the bar opened" }),
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.int().meta({ description: "Price updates in the bar" }),
  })
  .meta({ id: "Candle" });

export const ohlcReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    symbol: z.string(),
    timeframe,
    candles: z.array(candle).meta({ description: "Oldest first; made of bid prices" }),
    count: z.int().meta({ description: "Length of candles" }),
    retention,
    next_from: offsetTime
      .optional()
      .meta({ description: "Present if the range has more bars than limit: the from of the next call" }),
    from: offsetTime
      .optional()
      .meta({ description: "Present if the range of the call begins before the stored bars: where they begin" }),
  }),
});
