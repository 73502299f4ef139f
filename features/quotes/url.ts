import {
  BOARD_FILTERS,
  type BoardFilter,
  type BoardSort,
  type SharedList,
  SORT_COLUMNS,
} from "@/features/quotes/board-view";
import { BOARD_COLUMNS, type BoardColumn, DENSITIES, type Density } from "@/features/quotes/columns/columns";
import { LIST_LIMITS } from "@/lib/access/quote-list";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The choices on the board. They are in the page's address; columns and density also in a cookie. */
export interface BoardChoice extends BoardLook {
  readonly search: string;
  readonly filter: BoardFilter;
  /** The slug of one of the account's lists; null for all symbols. */
  readonly list: string | null;
  /** The list that the address itself contains, which somebody shared. */
  readonly shared: SharedList | null;
  readonly sort: BoardSort;
  /** The symbols whose details are shown. */
  readonly open: readonly string[];
}

/** How the board looks: the same on the next visit. */
interface BoardLook {
  readonly columns: readonly BoardColumn[];
  readonly density: Density;
}

export const LONGEST_SEARCH = 64;
/** Has the look of the last visit, as a query string. */
export const LOOK_COOKIE = "spotline-board";

type Params = Readonly<Record<string, string | string[] | undefined>>;

function createReader(params: Params) {
  return (name: string) => {
    const value = params[name];
    return typeof value === "string" ? value : "";
  };
}

/**
 * Reads the page's address. Invalid values are replaced by their defaults. `remembered` is the look of the last visit,
 * which the address overrides.
 */
export function readBoardChoice(params: Params, remembered = ""): BoardChoice {
  const text = createReader(params);
  const column = SORT_COLUMNS.find((each) => each === text("sort").replace(/^-/, "")) ?? null;
  const shared = readShared(params);
  return {
    search: text("q").slice(0, LONGEST_SEARCH),
    filter: BOARD_FILTERS.find((each) => each === params.show) ?? "all",
    // An address of an earlier version had the starred symbols as a category.
    list: shared !== null ? null : text("list") || (params.show === "starred" ? "starred" : null),
    shared,
    sort: { column, descending: column !== null && text("sort").startsWith("-") },
    open: readSymbols(text("open")),
    ...readLook({ ...Object.fromEntries(new URLSearchParams(remembered)), ...params }),
  };
}

function readLook(params: Params): BoardLook {
  const text = createReader(params);
  const named = text("cols").split(",");
  const columns = BOARD_COLUMNS.filter((each) => named.includes(each));
  return {
    columns: columns.length > 0 || named.includes("none") ? columns : BOARD_COLUMNS,
    density: DENSITIES.find((each) => each === text("density")) ?? "normal",
  };
}

function readSymbols(text: string): string[] {
  return [...new Set(text.split(","))].filter((symbol) => instrumentBySymbol.has(symbol));
}

function readShared(params: Params): SharedList | null {
  const text = createReader(params);
  const symbols = readSymbols(text("symbols"));
  const name = text("name").trim().slice(0, LIST_LIMITS.name);
  return symbols.length === 0 ? null : { name: name === "" ? "Shared list" : name, symbols };
}

/** Writes the address of a choice, without its defaults. A minus before the column means descending. */
export function toBoardHref({ search, filter, list, shared, sort, open, ...look }: BoardChoice): string {
  const params = new URLSearchParams();
  if (search.trim() !== "") params.set("q", search);
  if (filter !== "all") params.set("show", filter);
  if (list !== null) params.set("list", list);
  if (shared !== null) writeShared(params, shared);
  if (sort.column !== null) params.set("sort", `${sort.descending ? "-" : ""}${sort.column}`);
  writeLook(params, look);
  if (open.length > 0) params.set("open", open.join(","));
  return toHref(params);
}

/** Writes the address that shows a list to anyone who is signed in. */
export function toSharedHref(shared: SharedList): string {
  const params = new URLSearchParams();
  writeShared(params, shared);
  return toHref(params);
}

/** Writes the look as the cookie's value; empty for the default look. */
export function toLookCookie(look: BoardLook): string {
  const params = new URLSearchParams();
  writeLook(params, look);
  return params.toString();
}

function writeShared(params: URLSearchParams, { name, symbols }: SharedList): void {
  params.set("symbols", symbols.join(","));
  params.set("name", name);
}

function writeLook(params: URLSearchParams, { columns, density }: BoardLook): void {
  if (columns.length < BOARD_COLUMNS.length) params.set("cols", columns.join(",") || "none");
  if (density !== "normal") params.set("density", density);
}

function toHref(params: URLSearchParams): string {
  return params.size === 0 ? "/quotes" : `/quotes?${params.toString().replaceAll("%2C", ",")}`;
}
