import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { QuoteList } from "@/lib/access/quote-list";
import { computeDayChange, getDayPosition } from "@/lib/market/day-change";
import { CATEGORIES } from "@/lib/market/instrument";

export const SORT_COLUMNS = [
  "symbol",
  "bid",
  "ask",
  "spread",
  "usual",
  "change",
  "percent",
  "range",
  "age",
  "state",
  "source",
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** Which instruments of a list are shown. */
export const BOARD_FILTERS = ["all", ...CATEGORIES] as const;
export type BoardFilter = (typeof BOARD_FILTERS)[number];

/** A list that is in an address, not in an account. */
export type SharedList = Pick<QuoteList, "name" | "symbols">;

export interface BoardSort {
  /** Null for the list's own order. */
  readonly column: SortColumn | null;
  readonly descending: boolean;
}

/** Whether the order changes with the quotes. */
export function isMovingSort({ column }: BoardSort): boolean {
  return column !== null && column !== "symbol";
}

/** Returns the order after a click on a heading: ascending, then descending, then the list's own. */
export function toNextSort(sort: BoardSort, column: SortColumn): BoardSort {
  if (sort.column !== column) return { column, descending: false };
  return sort.descending ? { column: null, descending: false } : { column, descending: true };
}

/** Returns whether every word of a search is in an instrument's symbol, name or category: "eur/usd", "dollar yen". */
export function includesWords(
  { symbol, name, category }: Pick<BoardInstrument, "symbol" | "name" | "category">,
  search: string,
): boolean {
  const text = `${symbol} ${name} ${category}`.toLowerCase();
  const words = search.toLowerCase().trim().split(/\s+/);
  return words.every((word) => text.includes(word) || text.includes(word.replace(/[/_.-]/g, "")));
}

type Sorted = Pick<BoardInstrument, "symbol" | "digits">;

/** What a row is sorted by: its newest quote, and its usual spread in pips. */
export interface SortedRow {
  readonly row: BoardRow | null | undefined;
  readonly usual: readonly [p5: number, p95: number] | undefined;
}

function getValue(
  { row, usual }: SortedRow,
  { digits }: Sorted,
  column: Exclude<SortColumn, "symbol">,
): number | string | null {
  if (!row) return null;
  switch (column) {
    case "bid":
      return row.bid;
    case "ask":
      return row.ask;
    case "spread":
      return row.spreadPips;
    case "usual":
      // How wide the spread is now against its usual one.
      return usual === undefined ? null : row.spreadPips / Math.max(usual[1], Number.EPSILON);
    case "change":
    case "percent":
      return row.day && computeDayChange(row.day, row.bid, digits)[column];
    case "range":
      return row.day && getDayPosition(row.day, row.bid);
    case "age":
      return -row.timeMs;
    case "state":
      return row.state;
    case "source":
      return row.source;
  }
}

/** The instruments in the chosen order. Those without a value come last in both directions. */
export function sortBoard<Listed extends Sorted>(
  instruments: readonly Listed[],
  { column, descending }: BoardSort,
  getRow: (symbol: string) => SortedRow,
): readonly Listed[] {
  if (column === null) return instruments;
  const sign = descending ? -1 : 1;
  if (column === "symbol") return instruments.toSorted((a, b) => sign * a.symbol.localeCompare(b.symbol, "en"));
  const keyed = instruments.map((instrument) => {
    return { instrument, value: getValue(getRow(instrument.symbol), instrument, column) };
  });
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0);
  });
  return keyed.map(({ instrument }) => instrument);
}
