"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { ChevronRight, Star } from "lucide-react";
import dynamic from "next/dynamic";
import { memo } from "react";
import type { BoardColumn } from "@/features/quotes/columns/columns";
import { QuoteCells } from "@/features/quotes/row/quote-cells";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { QuoteState } from "@/lib/book/freshness";

/** Most visits open no row. */
const RowDetail = dynamic(() => import("@/features/quotes/row/row-detail").then((module) => module.RowDetail));

export function getRowKey(symbol: string) {
  return ["quotes", symbol] as const;
}

interface QuoteRowProps {
  instrument: BoardInstrument;
  initial: BoardRow | null;
  columns: readonly BoardColumn[];
  expanded: boolean;
  /** Whether the symbol is in the list that the star belongs to, and that list's name. */
  starred: boolean;
  listName: string;
  /** Whether the row can be moved within its list. */
  isMovable: boolean;
  onExpand: (symbol: string) => void;
  onStar: (symbol: string) => void;
}

function useRow<Part>(
  { symbol, initial }: { symbol: string; initial: BoardRow | null },
  select: (row: BoardRow | null) => Part,
): Part {
  const { data } = useQuery({
    queryKey: getRowKey(symbol),
    // Nothing is fetched per row; the board's connection fills the cache.
    queryFn: skipToken,
    initialData: initial,
    staleTime: Infinity,
    structuralSharing: false,
    notifyOnChangeProps: ["data"],
    select,
  });
  return data ?? select(initial);
}

const wholeRow = (row: BoardRow | null): BoardRow | null => row;
// Null, because React Query reads undefined as "no data".
const getState = (row: BoardRow | null): QuoteState | null => row?.state ?? null;

/**
 * One symbol. It subscribes to its own cache entry only, so that the ticks of other symbols do not render it. Its own
 * ticks render the cells but not the row.
 */
export const QuoteRow = memo(function QuoteRow(props: QuoteRowProps) {
  const { instrument, initial, columns, expanded, starred, listName, isMovable, onExpand, onStar } = props;
  const { symbol, name } = instrument;
  const state = useRow({ symbol, initial }, getState);
  const detailId = `sources-${symbol}`;
  return (
    <>
      <tr
        role="row"
        className="board-row"
        data-symbol={symbol}
        data-state={state ?? undefined}
        data-expanded={expanded || undefined}
        draggable={isMovable || undefined}
      >
        <td role="cell" className="cell-star">
          <button
            type="button"
            aria-pressed={starred}
            aria-label={`Star ${symbol}`}
            title={starred ? `Remove from ${listName}` : `Add to ${listName}`}
            onClick={() => onStar(symbol)}
            className="star-button"
          >
            <Star aria-hidden size={14} strokeWidth={1.5} fill={starred ? "currentColor" : "none"} />
          </button>
        </td>
        <th role="rowheader" scope="row" className="cell-symbol">
          <button
            type="button"
            data-row-button
            aria-expanded={expanded}
            aria-controls={expanded ? detailId : undefined}
            aria-keyshortcuts={isMovable ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
            onClick={() => onExpand(symbol)}
            className="symbol-button"
          >
            <ChevronRight aria-hidden size={14} className="symbol-chevron" />
            <span className="symbol-code">{symbol}</span>
            <span className="symbol-name">{name}</span>
          </button>
        </th>
        <LiveCells instrument={instrument} initial={initial} columns={columns} />
      </tr>
      {expanded && (
        <tr role="row" className="board-detail">
          <td role="cell" colSpan={columns.length + 2} id={detailId} className="block">
            <RowDetail instrument={instrument} />
          </td>
        </tr>
      )}
    </>
  );
});

interface LiveCellsProps extends Pick<QuoteRowProps, "initial" | "columns"> {
  instrument: BoardInstrument;
}

const LiveCells = memo(function LiveCells({ instrument, initial, columns }: LiveCellsProps) {
  const row = useRow({ symbol: instrument.symbol, initial }, wholeRow);
  return <QuoteCells key={row === null ? "empty" : "filled"} row={row} instrument={instrument} columns={columns} />;
});
