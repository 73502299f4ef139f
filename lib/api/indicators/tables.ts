import { defineTable } from "@/lib/api/engine/table";

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
  ["symbol", "value", "bid"],
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
