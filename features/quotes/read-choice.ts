import { BOARD_FILTERS, type SharedList, SORT_COLUMNS } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, DENSITIES } from "@/features/quotes/columns";
import { type BoardChoice, type BoardLook, LONGEST_SEARCH } from "@/features/quotes/url";
import { LIST_LIMITS } from "@/lib/access/quote-list";
import { instrumentBySymbol } from "@/lib/market/catalog";

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
