import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { CATEGORIES } from "@/lib/market/instrument";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";

export const SORT_COLUMNS = ["symbol", "bid", "ask", "spread", "age", "state", "source"] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** Which instruments are shown. */
export const BOARD_FILTERS = ["all", "starred", ...CATEGORIES] as const;
export type BoardFilter = (typeof BOARD_FILTERS)[number];

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

/**
 * Returns whether an instrument matches a search: every word is in its symbol or name ("eur/usd", "dollar yen"), or the
 * search begins one of its other names ("nasdaq"), or it is a broker's spelling ("EURUSD.pro"), as in the API.
 */
export function createSearch(search: string): (instrument: Pick<BoardInstrument, "symbol" | "name">) => boolean {
  const words = search.toLowerCase().trim().split(/\s+/);
  const squeezed = squeeze(search);
  const spelled = catalogResolver.find(search)?.symbol;
  return ({ symbol, name }) => {
    const text = `${symbol} ${name}`.toLowerCase();
    if (words.every((word) => text.includes(word) || text.includes(word.replace(/[/_.-]/g, "")))) return true;
    if (symbol === spelled) return true;
    const aliases = instrumentBySymbol.get(symbol)?.aliases ?? [];
    return squeezed !== "" && aliases.some((alias) => squeeze(alias).startsWith(squeezed));
  };
}

function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
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
