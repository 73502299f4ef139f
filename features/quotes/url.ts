import type { BoardFilter, BoardSort, SharedList } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, type BoardColumn, type Density } from "@/features/quotes/columns";

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
export interface BoardLook {
  readonly columns: readonly BoardColumn[];
  readonly density: Density;
}

export const LONGEST_SEARCH = 64;
/** Has the look of the last visit, as a query string. */
export const LOOK_COOKIE = "spotline-board";

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
