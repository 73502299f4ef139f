import * as z from "zod";
import { isoTime, pagination, succeeded } from "@/lib/api/engine/replies";
import { defineTable } from "@/lib/api/engine/table";
import { CATEGORIES, WEEKDAYS } from "@/lib/market/instrument";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import { mapSessions } from "@/lib/market/sessions/sessions";

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

const factOrigin = z.enum(["source", "operator", "name", "default"]);

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
      added_by: z
        .string()
        .nullable()
        .meta({ description: "The source that named it, or operator; null for a built-in instrument" }),
      provenance: z
        .strictObject({
          category: factOrigin,
          currencies: factOrigin,
          digits: factOrigin,
          pip: factOrigin,
          hours: factOrigin,
          name: factOrigin,
        })
        .nullable()
        .meta({
          description:
            "Where each of these facts comes from: the source or the operator said it, the symbol's name shows it, or it " +
            "is usual (default); null for a built-in instrument",
        }),
      resolved_by: z.string().meta({ description: "The rule that led from the given spelling to this symbol" }),
    })
    .meta({ id: "SymbolDetails" }),
});

const duration = z.string().regex(/^(<1m|\d+m|\d+h \d+m|\d+d \d+h)$/);

const weekend = z.boolean().meta({ description: "Whether Friday 22:00 to Sunday 22:00 UTC keeps it closed" });

const session = z
  .union([
    z.strictObject({ status: z.literal("open"), closes_in: duration, weekend }),
    z.strictObject({
      status: z.literal("closed"),
      opens_in: duration.meta({
        description:
          "Until the session opens next; at the weekend until Sydney opens the market on Sunday, unless Sydney has a holiday then.",
      }),
      session_opens_in: duration.meta({
        description: "Until the session's own next opening, over weekends and holidays",
      }),
      weekend,
    }),
  ])
  .meta({ id: "Session" });

export const sessionsReply = z.strictObject({
  success: succeeded,
  data: z.strictObject({
    current_time: isoTime,
    active_sessions: z.array(z.enum(SESSION_NAMES)),
    sessions: z.strictObject(mapSessions(() => session)),
    overlaps: z.array(z.string()).meta({ description: "Every pair of open sessions", examples: [["london_new_york"]] }),
    next_major_event: z
      .strictObject({ event: z.string().meta({ examples: ["london_close"] }), in: duration })
      .meta({ description: "The soonest opening or close of any session" }),
  }),
});

/** The tables of the answers about prices, symbols and sessions. */

type Row = Readonly<Record<string, unknown>>;

const QUOTE = ["symbol", "bid", "ask", "spread", "spread_pips", "timestamp", "source"];

/** One row, or with include_sources one for each source. */
export const quoteTable = defineTable<Row & { symbol: string; sources?: readonly Row[] }>(QUOTE, (quote) =>
  quote.sources === undefined ? [quote] : quote.sources.map((source) => ({ symbol: quote.symbol, ...source })),
);

export const quotesTable = defineTable<{ quotes: readonly Row[] }>(QUOTE, ({ quotes }) => quotes);

export const symbolsTable = defineTable<{ symbols: readonly Row[] }>(
  ["symbol", "name", "category", "base_currency", "quote_currency", "digits", "tradable"],
  ({ symbols }) => symbols,
);

export const sessionsTable = defineTable<{ sessions: Readonly<Record<string, Row>> }>(
  ["session", "status", "opens_in", "closes_in", "weekend", "session_opens_in"],
  ({ sessions }) =>
    Object.entries(sessions).map(
      ([session, { status, opens_in = null, closes_in = null, weekend, session_opens_in = null }]) => {
        return { session, status, opens_in, closes_in, weekend, session_opens_in };
      },
    ),
);
