import * as z from "zod";
import { timeframe } from "@/lib/api/engine/replies";
import { SPREAD_PERIODS } from "@/lib/history/spreads/spread-period";
import { PRICE_SIDES } from "@/lib/market/price";

/** The schemas of answers with recorded data. */

export const offsetTime = z.iso.datetime({ offset: true }).meta({ description: "ISO 8601 with +00:00" });

/** The time of a bar; ticks have an offset. */
export const barTime = z.iso.datetime().meta({ description: "ISO 8601 with Z" });

const tick = z
  .strictObject({
    time: offsetTime,
    bid: z.number(),
    ask: z.number(),
    flags: z.literal(0).meta({ description: "Always 0; carries no information" }),
    origin: z.int().optional().meta({ description: "With include=origin: the id of one of the origins" }),
    source: z.string().optional().meta({ description: "With resolution=tick: the source" }),
    received: offsetTime
      .optional()
      .meta({ description: "With resolution=tick: when the server received it, to the millisecond" }),
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

const notKept = z.strictObject({ from: offsetTime, to: offsetTime }).meta({ id: "NotKept" });

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

const tickOrigin = z
  .strictObject({
    id: z.int().meta({ description: "What origin of a tick names" }),
    kind: z
      .enum(["recorded", "joined", "generated", "filled", "imported", "undone", "removed", "merged", "moved", "stored"])
      .meta({
        description:
          "recorded: as it came; filled: from the source's own past, after a gap; imported: from a file; merged: moved " +
          "from another instrument; generated: a simulated past; joined: imported when the recorder closed the hour; " +
          "undone, removed: what was left after an import was undone, or a source removed; stored: by a version that " +
          "did not note it",
      }),
    mode: z.enum(["live", "simulated", "replay"]).meta({
      description: "Whether the prices are live, simulated, or those of a replayed recording",
    }),
    written_at: offsetTime.nullable().meta({ description: "When the hour was written; null while it is recorded" }),
    source: z.string().optional().meta({ description: "Of filled and imported prices" }),
    from: offsetTime.optional().meta({ description: "When the gap that was filled began" }),
    to: offsetTime.optional().meta({ description: "When it ended" }),
    file: z.string().optional().meta({ description: "The name of the imported file" }),
    sha256: z.string().optional().meta({ description: "The SHA-256 of its content, in hex" }),
    import: z.string().nullable().optional().meta({ description: "The id of the import, if it has one" }),
    symbol: z.string().optional().meta({ description: "The other instrument of a merged one" }),
  })
  .meta({ id: "TickOrigin" });

export const ticksReply = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    symbol: z.string(),
    resolution: z.literal("tick").optional().meta({ description: "With resolution=tick" }),
    ticks: z.array(tick),
    count: z.int().meta({ description: "Length of ticks" }),
    origins: z.array(tickOrigin).optional().meta({ description: "With include=origin: how the ticks came" }),
    next_from: offsetTime
      .nullable()
      .optional()
      .meta({ description: "With resolution=tick: from of the next page; null if this is the last one" }),
    not_kept: z.array(notKept).optional().meta({
      description: "With resolution=tick: times in the range in which ticks were not kept, oldest first",
    }),
    gaps: z.array(gap).optional().meta({ description: "With include=gaps: the holes in the range, oldest first" }),
    source_gaps: z
      .array(sourceGap)
      .optional()
      .meta({ description: "Times in the range, if any, for which a source's prices are lost or not filled in yet" }),
  }),
});

const candle = z
  .strictObject({
    time: barTime.meta({ description: "When the bar opened: ISO 8601 with Z" }),
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
    price: z.enum(PRICE_SIDES).optional().meta({ description: "The price of the bars, unless it is the bid" }),
    candles: z.array(candle).meta({ description: "Oldest first; made of bid prices unless price says otherwise" }),
    count: z.int().meta({ description: "Length of candles" }),
    retention,
    next_from: barTime
      .optional()
      .meta({ description: "Present if the range has more bars than limit: the from of the next call" }),
    from: barTime
      .optional()
      .meta({ description: "Present if the range of the call begins before the stored bars: where they begin" }),
  }),
});

/** The schemas of answers about spreads. All numbers are in pips unless stated otherwise. */

const pips = z.number().nonnegative();
const period = z.enum(SPREAD_PERIODS);
const succeeded = z.literal(true);

const percentiles = z
  .strictObject({ p5: pips, p25: pips, p50: pips, p75: pips, p95: pips })
  .meta({
    description: "With include=percentiles: the smallest spread that so many percent of the samples do not exceed",
  })
  .meta({ id: "SpreadPercentiles" });

const quarter = z
  .strictObject({
    time: z.iso.datetime().meta({ description: "When the quarter of an hour began" }),
    avg: pips,
    min: pips,
    max: pips,
    p5: pips,
    p95: pips,
  })
  .meta({ id: "SpreadQuarter" });

export const spreadReply = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      symbol: z.string(),
      current: z.strictObject({
        spread_pips: pips,
        spread_points: z.int().nonnegative().meta({ description: "Whole points: ten to the pip with 5 digits" }),
      }),
      statistics: z.strictObject({
        period,
        avg_spread: pips,
        min_spread: pips,
        max_spread: pips,
        std_deviation: pips.meta({ description: "Of the population" }),
      }),
      by_session: z
        .strictObject({ asian: pips.nullable(), london: pips.nullable(), new_york: pips.nullable() })
        .meta({ description: "Means over the same period; asian while Sydney or Tokyo is open. Sessions overlap." }),
      percentiles: percentiles.optional(),
      series: z
        .array(quarter)
        .optional()
        .meta({ description: "With series=15m: oldest first, without the quarters that have no sample" }),
    })
    .meta({ id: "SpreadAnalysis" }),
});

const compared = z.strictObject({
  current_pips: pips.nullable().meta({ description: "Null unless has_live_data" }),
  avg_pips: pips
    .nullable()
    .meta({ description: "Null, as the two that follow, when nothing was recorded in the period" }),
  min_pips: pips.nullable(),
  max_pips: pips.nullable(),
  has_live_data: z
    .boolean()
    .meta({ description: "Whether there is a quote that is not stale, of a market that is open" }),
});

const comparedSource = z
  .strictObject({
    source: z.string(),
    since: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          "When the first minute that the source's figures count began: later than the period, and than the symbol's own " +
          "figures, where the source was not recorded before",
      }),
    ...compared.shape,
  })
  .meta({ id: "SourceSpread" });

export const spreadCompareReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    period,
    symbols: z.array(
      z
        .strictObject({
          symbol: z.string(),
          ...compared.shape,
          sources: z
            .array(comparedSource)
            .optional()
            .meta({ description: "With by=source: every source's own spreads" }),
        })
        .meta({ id: "ComparedSpread" }),
    ),
    count: z.int(),
  }),
});
