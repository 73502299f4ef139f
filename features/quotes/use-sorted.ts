"use client";

import { useCallback, useEffect, useMemo, useState } from "react";
import { useSymbolHits } from "@/components/shared/symbol-hits";
import { type BoardSort, includesWords, isMovingSort, sortBoard } from "@/features/quotes/board-view";
import { type BoardColumn, isTelling, TELLING_COLUMNS, type TellingColumn } from "@/features/quotes/columns";
import type { Extras } from "@/features/quotes/extras";
import type { SymbolStore } from "@/features/quotes/symbol-store";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";

/** How often rows are sorted again by a column that changes. Rows that move more often are hard to read. */
const RESORT_MS = 2_000;

/** The instruments in the chosen order, which follows the quotes. */
export function useSorted(
  instruments: readonly BoardInstrument[],
  sort: BoardSort,
  { rows, usual }: { rows: SymbolStore<BoardRow>; usual: Extras["usual"] },
): readonly BoardInstrument[] {
  const order = useCallback(
    () => sortBoard(instruments, sort, (symbol) => ({ row: rows.get(symbol), usual: usual.get(symbol) })),
    [instruments, sort, rows, usual],
  );
  const [renewed, setRenewed] = useState<{ order: typeof order; list: readonly BoardInstrument[] } | null>(null);
  useEffect(() => {
    if (!isMovingSort(sort)) return;
    const timer = setInterval(() => setRenewed({ order, list: order() }), RESORT_MS);
    return () => clearInterval(timer);
  }, [order, sort]);
  const first = useMemo(() => order(), [order]);
  // A renewed list is valid for one order only, not for a new filter or column.
  return renewed?.order === order ? renewed.list : first;
}

export interface FirstSearch {
  /** The search in the page's address. */
  readonly search: string;
  /** The symbols that the server found with it by other names than those of the board. */
  readonly found: readonly string[];
}

/**
 * The instruments of a list in its order (all of them without one), those that match the search, and those of the
 * category.
 */
export function useFiltered(
  instruments: readonly BoardInstrument[],
  symbols: readonly string[] | null,
  { search, filter }: Pick<BoardChoice, "search" | "filter">,
  first: FirstSearch,
) {
  // The board has symbols and names; the server knows their aliases and the spellings of brokers.
  const { data, isCurrent } = useSymbolHits(search, search.trim() !== "");
  const listed = useMemo(() => {
    if (symbols === null) return instruments;
    const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    return symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []);
  }, [instruments, symbols]);
  const found = useMemo(() => {
    if (search.trim() === "") return listed;
    const others = new Set(
      isCurrent ? data?.hits.map(({ symbol }) => symbol) : search === first.search ? first.found : [],
    );
    return listed.filter((instrument) => others.has(instrument.symbol) || includesWords(instrument, search));
  }, [listed, search, isCurrent, data, first]);
  const filtered = useMemo(
    () => (filter === "all" ? found : found.filter(({ category }) => category === filter)),
    [found, filter],
  );
  return { listed, found, filtered };
}

const CHECK_MS = 2_000;

type Rows = SymbolStore<BoardRow>;

/** The columns in which not all rows are the same. Rows without a quote do not count. */
function findTelling(symbols: readonly string[], rows: Rows): TellingColumn[] {
  return TELLING_COLUMNS.filter((column) => {
    const values = new Set(symbols.flatMap((symbol) => rows.get(symbol)?.[column] ?? []));
    return values.size > 1;
  });
}

/**
 * The chosen columns, without those in which all rows are the same. A column that has differed once stays until other
 * rows are chosen, so that the board does not move while it is read.
 */
export function useTellingColumns(
  chosen: readonly BoardColumn[],
  instruments: readonly BoardInstrument[],
  rows: Rows,
): readonly BoardColumn[] {
  const [found, setFound] = useState(() => ({ instruments, telling: find(instruments, rows) }));
  useEffect(() => {
    const check = () =>
      setFound((before) => {
        const now = find(instruments, rows);
        if (before.instruments !== instruments) return { instruments, telling: now };
        const telling = TELLING_COLUMNS.filter((column) => before.telling.includes(column) || now.includes(column));
        return telling.length === before.telling.length ? before : { instruments, telling };
      });
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [instruments, rows]);
  const [columns, setColumns] = useState<readonly BoardColumn[]>([]);
  const next = chosen.filter((column) => !isTelling(column) || found.telling.includes(column));
  // The same array while nothing changes, so that rows do not render again.
  if (next.join() === columns.join()) return columns;
  setColumns(next);
  return next;
}

const find = (instruments: readonly BoardInstrument[], rows: Rows) =>
  findTelling(
    instruments.map(({ symbol }) => symbol),
    rows,
  );
