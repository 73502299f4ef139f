import { defineTable } from "@/lib/api/engine/table";

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
  ["session", "status", "opens_in", "closes_in", "weekend"],
  ({ sessions }) =>
    Object.entries(sessions).map(([session, { status, opens_in = null, closes_in = null, weekend }]) => {
      return { session, status, opens_in, closes_in, weekend };
    }),
);
