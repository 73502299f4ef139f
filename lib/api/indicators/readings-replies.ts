import * as z from "zod";
import { INDICATOR_CATEGORIES, type IndicatorCategory } from "@/lib/analytics/indicators/definition";
import { isoTime, pagination, succeeded, timeframe } from "@/lib/api/engine/replies";
import { defineTable } from "@/lib/api/engine/table";
import { barTime, offsetTime, retention } from "@/lib/api/history/replies";
import { BAR_STATES } from "@/lib/market/expected-bars";

/** The schemas of answers that are computed from bars: indicators, their past, the screener and the summary. */

const updatedAt = z.int().meta({ description: "Unix seconds of the newest quote behind it; 0 before the first" });

const NO_PRICE = "Null with at where only bars are stored";

const ohlc = z
  .strictObject({
    open: z.number(),
    high: z.number(),
    low: z.number(),
    close: z.number(),
    volume: z.number().meta({ description: "Price updates" }),
  })
  .meta({ id: "Ohlc" });

const signal = z.enum(["bullish", "bearish", "neutral", "overbought", "oversold"]).meta({ id: "Signal" });

const flatPoint = z
  .strictObject({
    timestamp: isoTime.meta({ description: "When the bar opened" }),
    value: z.number(),
    signal,
    ohlc,
  })
  .meta({ id: "FlatIndicatorPoint" });

const flatReading = z
  .strictObject({
    symbol: z.string(),
    indicator: z.string().meta({ description: "The name as in the request" }),
    timeframe,
    timestamp: isoTime.meta({ description: "When the latest closed bar opened" }),
    value: z.number(),
    signal,
    ohlc,
    metadata: z.strictObject({
      source: z.string().meta({ description: "Of the quote; bars without one, with at" }),
      data_age_seconds: z.int().meta({ description: "Age of the older of the newest quote and the close of the bar" }),
    }),
    bars: z.int().optional().meta({ description: "With bars above 1: how many bars the series holds" }),
    series: z.array(flatPoint).optional().meta({ description: "With bars above 1: those bars, oldest first" }),
  })
  .meta({ id: "FlatIndicatorReading" });

const reading = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      symbol: z.string(),
      indicator: z.string().meta({ description: "The name as in the request" }),
      timeframe,
      value: z.number().meta({ description: "At the latest closed bar" }),
      bid: z.number().nullable().meta({ description: NO_PRICE }),
      ask: z.number().nullable(),
      updated_at: z.int().meta({ description: "Unix seconds of the quote; 0 without one" }),
      server_time: offsetTime,
      bar_time: offsetTime.meta({ description: "When the bar of the value opened, ISO 8601 with +00:00" }),
    })
    .meta({ id: "IndicatorReading" }),
});

export const indicatorReply = z.union([reading, flatReading]);

const latestBarTime = offsetTime.meta({ description: "When the latest closed bar opened, ISO 8601 with +00:00" });

const values = z.record(z.string(), z.number().nullable());

export const indicatorsReply = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      symbol: z.string(),
      timeframe,
      bar_time: latestBarTime.nullable(),
      ohlcv: ohlc.nullable().meta({ description: "The latest closed bar, which all values belong to" }),
      bid: z.number().nullable(),
      ask: z.number().nullable(),
      indicators: values.meta({ description: "Null where there is too little history" }),
      count: z.int().meta({ description: "How many indicators are named, with a value or null" }),
      updated_at: updatedAt,
    })
    .meta({ id: "IndicatorValues" }),
});

export const indicatorHistoryReply = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      symbol: z.string(),
      indicator: z.string(),
      timeframe,
      from: barTime.nullable(),
      to: barTime.nullable(),
      count: z.int(),
      max_window_hours: z.int().meta({ description: "The hours that one answer can span at this timeframe" }),
      series: z.array(z.strictObject({ time: barTime, value: z.number().nullable() }).meta({ id: "IndicatorPoint" })),
      next_from: barTime
        .optional()
        .meta({ description: "Present if the range has more bars than limit: the from of the next call" }),
    })
    .meta({ id: "IndicatorHistory" }),
});

const notFound = z.array(z.string()).meta({ description: "Unknown symbols, as they were spelled" });

export const multiReply = z.strictObject({
  success: succeeded,
  data: z.union([
    z
      .strictObject({
        timeframe,
        data: z.record(z.string(), values),
        bar_times: z
          .record(z.string(), offsetTime.nullable())
          .meta({ description: "When the latest closed bar of each symbol opened; null before its first" }),
        not_found: notFound,
        updated_at: updatedAt,
      })
      .meta({ id: "LatestIndicators" }),
    z
      .strictObject({
        timeframe,
        mode: z.literal("historical"),
        from: barTime,
        to: barTime,
        retention,
        // Text too, or no generator could type a row: its time would contradict the readings.
        data: z.record(
          z.string(),
          z.array(z.object({ time: barTime }).catchall(z.union([z.number(), z.string()]).nullable())),
        ),
        not_found: notFound,
      })
      .meta({ id: "PastIndicators" }),
  ]),
});

const barState = z.enum(BAR_STATES).meta({
  id: "BarState",
  description:
    "Whether the bar is the newest that there can be, some bars behind it, outdated, or made of few bars: see X-Bar-State",
});

export const screenerReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    indicator: z.string(),
    timeframe,
    filter: z
      .strictObject({ min: z.number().nullable(), max: z.number().nullable() })
      .meta({ description: "The bounds of the call; null where it has none" }),
    results: z.array(
      z
        .strictObject({
          symbol: z.string(),
          value: z.number(),
          bid: z.number().nullable(),
          bar_time: latestBarTime,
          bar_state: barState,
        })
        .meta({ id: "ScreenerResult" }),
    ),
    total_matches: z.int(),
    pagination,
    updated_at: updatedAt,
  }),
});

const indicatorDetails = z
  .strictObject({
    description: z.string(),
    formula: z.string(),
    warm_up_bars: z.int().meta({ description: "Bars needed for the first value" }),
    range: z
      .strictObject({ min: z.number(), max: z.number().nullable() })
      .nullable()
      .meta({ description: "Null where any value is possible; max is null where there is no highest one" }),
    aliases: z.array(z.string()),
    reading: z.enum(["flat", "envelope"]).meta({ description: "How /v1/indicator answers it" }),
  })
  .meta({ id: "IndicatorDetails" });

const indicatorFamily = z
  .strictObject({
    name: z.string().meta({ description: "What the names of its members begin with" }),
    aliases: z.array(z.string()).meta({ description: "Other names of the family, with the same members" }),
    pattern: z.string().meta({ description: "How a member is named: RSI_{period} for RSI_21" }),
    title: z.string(),
    category: z.enum(INDICATOR_CATEGORIES).meta({ description: "The category of the indicators" }),
    formula: z.string().meta({ description: "In terms of the parameters" }),
    source: z.string().meta({ description: "Whose definition it follows" }),
    parameters: z.array(
      z.union([
        z.strictObject({
          name: z.string().meta({ description: "The name of the parameter" }),
          default: z.number(),
          min: z.number(),
          max: z.number(),
          decimals: z.int().meta({ description: "The most decimals; 0 for whole numbers" }),
        }),
        z.strictObject({
          name: z.string().meta({ description: "The name of the parameter" }),
          default: z.string(),
          choices: z.array(z.string()),
        }),
      ]),
    ),
    rule: z.string().nullable().meta({ description: "What the parameters have to fulfil together" }),
    lines: z.array(
      z.strictObject({
        name: z.string().meta({ description: "At the end of a name; empty for a line without one" }),
        description: z.string(),
      }),
    ),
    examples: z.array(z.string()).meta({ description: "The members with the default parameters" }),
  })
  .meta({ id: "IndicatorFamily" });

function byCategory<Schema extends z.ZodType>(schema: Schema) {
  return Object.fromEntries(INDICATOR_CATEGORIES.map((name) => [name, schema])) as Record<IndicatorCategory, Schema>;
}

export const indicatorsListReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    indicators: z
      .strictObject(byCategory(z.record(z.string(), z.union([z.string(), indicatorDetails]))))
      .meta({ description: "By category and name: a sentence, or with include=details an object" }),
    timeframes: z.array(timeframe),
    categories: z.array(z.enum(INDICATOR_CATEGORIES)),
    families: z.array(indicatorFamily).optional().meta({ description: "With include=families" }),
  }),
});

const sentences = z.array(z.string());
const activity = z.enum(["low", "normal", "high"]);

export const summaryReply = z.strictObject({
  success: succeeded,
  data: z
    .strictObject({
      symbol: z.string(),
      timeframe,
      bar_time: latestBarTime,
      bias: z.enum(["bullish", "bearish", "neutral"]),
      bias_strength: z.enum(["normal", "strong"]),
      confidence: z.number().min(0).max(1).meta({ description: "How far what was looked at agrees with the bias" }),
      trend_score: z.number().meta({ description: "−100, all bearish, to 100, all bullish" }),
      momentum_score: z.number().meta({ description: "−100 to 100" }),
      volatility_score: z.number().meta({ description: "0 to 100: rank among the latest hundred bars" }),
      signals: z.strictObject({ trend: signal, momentum: signal, volatility: activity, volume: activity }),
      key_levels: z
        .strictObject({ resistance: z.array(z.number()), support: z.array(z.number()) })
        .meta({ description: "Prices where the market turned before, nearest first" }),
      bullish_signals: sentences,
      bearish_signals: sentences,
      neutral_signals: sentences,
      volatility_info: sentences,
      volume_info: sentences,
      summary: z.string(),
      recommendations: sentences.meta({ description: "Observations; none of them is advice" }),
      key_values: z.strictObject({
        bid: z.number().nullable().meta({ description: NO_PRICE }),
        ask: z.number().nullable(),
        rsi_14: z.number(),
        macd_hist: z.number(),
        adx: z.number(),
        atr_14: z.number(),
        sma_20: z.number(),
        sma_50: z.number(),
        sma_200: z.number().nullable().meta({ description: "Null below 200 bars" }),
        bb_upper: z.number(),
        bb_lower: z.number(),
        stochastic_k: z.number(),
        mfi_14: z.number(),
      }),
      updated_at: z.int().meta({ description: "Unix seconds of the quote; 0 without one" }),
    })
    .meta({ id: "Summary" }),
});

/** The tables of the answers that are computed from bars. */

type Row = Readonly<Record<string, unknown>>;

/** One row for each indicator. */
export const indicatorsTable = defineTable<{ symbol: string; timeframe: string; indicators: Row }>(
  ["symbol", "timeframe", "indicator", "value"],
  ({ symbol, timeframe, indicators }) =>
    Object.entries(indicators).map(([indicator, value]) => ({ symbol, timeframe, indicator, value })),
);

export const indicatorsListTable = defineTable<{ indicators: Readonly<Record<string, Row>> }>(
  ["category", "indicator", "description"],
  ({ indicators }) =>
    Object.entries(indicators).flatMap(([category, members]) =>
      Object.entries(members).map(([indicator, text]) => ({
        category,
        indicator,
        ...(typeof text === "string" ? { description: text } : (text as Row)),
      })),
    ),
);

export const indicatorHistoryTable = defineTable<{ series: readonly Row[] }>(["time", "value"], ({ series }) => series);

/** One row for each symbol, or with from for each bar of each symbol. */
export const multiTable = defineTable<{ data: Readonly<Record<string, Row | readonly Row[]>> }>(
  ["symbol"],
  ({ data }) =>
    Object.entries(data).flatMap(([symbol, found]) => {
      const rows = (Array.isArray(found) ? found : [found]) as readonly Row[];
      return rows.map((row) => ({ symbol, ...row }));
    }),
);

export const screenerTable = defineTable<{ results: readonly Row[] }>(
  ["symbol", "value", "bid", "bar_time", "bar_state"],
  ({ results }) => results,
);

/** One row for each currency, or with type=correlation for each currency or symbol. */
export const heatmapTable = defineTable<{
  currencies?: Readonly<Record<string, Row>>;
  correlation_matrix?: Readonly<Record<string, Row>>;
}>(["currency", "strength", "trend", "change", "pairs_analyzed"], ({ currencies, correlation_matrix: matrix = {} }) =>
  currencies === undefined
    ? Object.entries(matrix).map(([name, row]) => ({ name, ...row }))
    : Object.entries(currencies).map(([currency, reading]) => ({ currency, ...reading })),
);
