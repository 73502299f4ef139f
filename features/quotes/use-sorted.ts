"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type BoardSort, isMovingSort, sortBoard } from "@/features/quotes/board-view";
import type { Extras } from "@/features/quotes/extras";
import { getRowKey } from "@/features/quotes/row/quote-row";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";

/** How often rows are sorted again by a column that changes. Rows that move more often are hard to read. */
const RESORT_MS = 2_000;

/** The newest row of a symbol, or the one that the page was rendered with. */
export function useReadRow(initialRows: ReadonlyMap<string, BoardRow>) {
  const client = useQueryClient();
  return useCallback(
    (symbol: string) => client.getQueryData<BoardRow | null>(getRowKey(symbol)) ?? initialRows.get(symbol),
    [client, initialRows],
  );
}

/** The instruments in the chosen order, which follows the quotes. */
export function useSorted(
  instruments: readonly BoardInstrument[],
  sort: BoardSort,
  { readRow, usual }: { readRow: ReturnType<typeof useReadRow>; usual: Extras["usual"] },
): readonly BoardInstrument[] {
  const order = useCallback(
    () => sortBoard(instruments, sort, (symbol) => ({ row: readRow(symbol), usual: usual.get(symbol) })),
    [instruments, sort, readRow, usual],
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
