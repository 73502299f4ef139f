import { defineTable } from "@/lib/api/engine/table";

type Row = Readonly<Record<string, unknown>>;

/** One row, or with series one for each quarter of an hour. */
export const spreadTable = defineTable<{
  symbol: string;
  current: Row;
  statistics: Row;
  by_session: Row;
  percentiles?: Row;
  series?: readonly Row[];
}>(
  ["symbol", "spread_pips", "spread_points", "period", "avg_spread", "min_spread", "max_spread", "std_deviation"],
  ({ symbol, current, statistics, by_session: bySession, percentiles, series }) =>
    series === undefined
      ? [{ symbol, ...current, ...statistics, ...bySession, ...percentiles }]
      : series.map((quarter) => ({ symbol, ...quarter })),
);

/** One row for each symbol, or with by=source for each source of each symbol. */
export const spreadCompareTable = defineTable<{
  period: string;
  symbols: readonly (Row & { symbol: string; sources?: readonly Row[] })[];
}>(["symbol", "current_pips", "avg_pips", "min_pips", "max_pips", "has_live_data"], ({ symbols }) =>
  symbols.flatMap((each) =>
    each.sources === undefined ? [each] : each.sources.map((source) => ({ symbol: each.symbol, ...source })),
  ),
);
