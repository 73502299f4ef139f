"use client";

import { useEffect, useState } from "react";
import { type BoardColumn, isTelling, TELLING_COLUMNS, type TellingColumn } from "@/features/quotes/columns/columns";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";

const CHECK_MS = 2_000;

type ReadRow = (symbol: string) => BoardRow | null | undefined;

/** The columns in which not all rows are the same. Rows without a quote do not count. */
function findTelling(symbols: readonly string[], readRow: ReadRow): TellingColumn[] {
  return TELLING_COLUMNS.filter((column) => {
    const values = new Set(symbols.flatMap((symbol) => readRow(symbol)?.[column] ?? []));
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
  readRow: ReadRow,
): readonly BoardColumn[] {
  const [found, setFound] = useState(() => ({ instruments, telling: find(instruments, readRow) }));
  useEffect(() => {
    const check = () =>
      setFound((before) => {
        const now = find(instruments, readRow);
        if (before.instruments !== instruments) return { instruments, telling: now };
        const telling = TELLING_COLUMNS.filter((column) => before.telling.includes(column) || now.includes(column));
        return telling.length === before.telling.length ? before : { instruments, telling };
      });
    check();
    const timer = setInterval(check, CHECK_MS);
    return () => clearInterval(timer);
  }, [instruments, readRow]);
  const [columns, setColumns] = useState<readonly BoardColumn[]>([]);
  const next = chosen.filter((column) => !isTelling(column) || found.telling.includes(column));
  // The same array while nothing changes, so that rows do not render again.
  if (next.join() === columns.join()) return columns;
  setColumns(next);
  return next;
}

const find = (instruments: readonly BoardInstrument[], readRow: ReadRow) =>
  findTelling(
    instruments.map(({ symbol }) => symbol),
    readRow,
  );
