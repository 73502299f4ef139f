import { BOARD_FILTERS, type BoardFilter, type BoardSort, SORT_COLUMNS } from "@/features/quotes/board-view";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The choices on the board. They are in the page's address. Stars are not: they belong to one browser. */
export interface BoardChoice {
  readonly search: string;
  readonly filter: BoardFilter;
  readonly sort: BoardSort;
  /** The symbols whose sources are shown. */
  readonly open: readonly string[];
}

export const LONGEST_SEARCH = 64;

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the page's address. Invalid values are replaced by their defaults. */
export function readBoardChoice(params: Params): BoardChoice {
  const text = (name: string) => {
    const value = params[name];
    return typeof value === "string" ? value : "";
  };
  const column = SORT_COLUMNS.find((each) => each === text("sort").replace(/^-/, "")) ?? null;
  return {
    search: text("q").slice(0, LONGEST_SEARCH),
    filter: BOARD_FILTERS.find((each) => each === params.show) ?? "all",
    sort: { column, descending: column !== null && text("sort").startsWith("-") },
    open: [...new Set(text("open").split(","))].filter((symbol) => instrumentBySymbol.has(symbol)),
  };
}

/** Writes the address of a choice, without its defaults. A minus before the column means descending. */
export function toBoardHref({ search, filter, sort, open }: BoardChoice): string {
  const params = new URLSearchParams();
  if (search.trim() !== "") params.set("q", search);
  if (filter !== "all") params.set("show", filter);
  if (sort.column !== null) params.set("sort", `${sort.descending ? "-" : ""}${sort.column}`);
  if (open.length > 0) params.set("open", open.join(","));
  return params.size === 0 ? "/quotes" : `/quotes?${params.toString().replaceAll("%2C", ",")}`;
}
