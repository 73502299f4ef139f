import type { BoardInstrument, BoardRow } from "@/features/quotes/types";

export type SortColumn = "symbol" | "bid" | "ask" | "spread" | "age" | "state" | "source";

export interface BoardSort {
  /** Null for the catalogue's order. */
  readonly column: SortColumn | null;
  readonly descending: boolean;
}

/** Whether the order changes with the quotes. */
export function isMovingSort({ column }: BoardSort): boolean {
  return column !== null && column !== "symbol";
}

/** Returns the order after a click on a heading: ascending, then descending, then the catalogue's order. */
export function toNextSort(sort: BoardSort, column: SortColumn): BoardSort {
  if (sort.column !== column) return { column, descending: false };
  return sort.descending ? { column: null, descending: false } : { column, descending: true };
}

/** Whether every word of a search is in the symbol or the name; "eur/usd" finds EURUSD. */
export function matchesSearch({ symbol, name }: BoardInstrument, search: string): boolean {
  const text = `${symbol} ${name}`.toLowerCase();
  const words = search.toLowerCase().trim().split(/\s+/);
  return words.every((word) => text.includes(word) || text.includes(word.replace(/[/_.-]/g, "")));
}

function getValue(row: BoardRow, column: Exclude<SortColumn, "symbol">): number | string {
  switch (column) {
    case "bid":
      return row.bid;
    case "ask":
      return row.ask;
    case "spread":
      return row.spreadPips;
    case "age":
      return -row.timeMs;
    case "state":
      return row.state;
    case "source":
      return row.source;
  }
}

/** The instruments in the chosen order. Those without a quote come last in both directions. */
export function sortBoard(
  instruments: readonly BoardInstrument[],
  { column, descending }: BoardSort,
  getRow: (symbol: string) => BoardRow | null | undefined,
): readonly BoardInstrument[] {
  if (column === null) return instruments;
  const sign = descending ? -1 : 1;
  if (column === "symbol") return instruments.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol, "en"));
  const keyed = instruments.map((instrument) => {
    const row = getRow(instrument.symbol);
    return { instrument, value: row ? getValue(row, column) : null };
  });
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
  });
  return keyed.map(({ instrument }) => instrument);
}
