"use client";

import { skipToken, useQuery } from "@tanstack/react-query";
import { ChevronRight, Star } from "lucide-react";
import { memo, useState } from "react";
import { useAge } from "@/components/shared/market-clock";
import { StateMark } from "@/components/shared/state-mark";
import { Price } from "@/features/quotes/price";
import { RowSources } from "@/features/quotes/row-sources";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { QuoteState } from "@/lib/book/freshness";

export function getRowKey(symbol: string) {
  return ["quotes", symbol] as const;
}

interface QuoteRowProps {
  instrument: BoardInstrument;
  initial: BoardRow | null;
  expanded: boolean;
  starred: boolean;
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
  const { instrument, initial, expanded, starred, onExpand, onStar } = props;
  const { symbol, name } = instrument;
  const state = useRow({ symbol, initial }, getState);
  const detailId = `sources-${symbol}`;
  return (
    <>
      <tr role="row" className="board-row" data-state={state ?? undefined} data-expanded={expanded || undefined}>
        <td role="cell" className="cell-star">
          <button
            type="button"
            aria-pressed={starred}
            aria-label={`Star ${symbol}`}
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
            onClick={() => onExpand(symbol)}
            className="symbol-button"
          >
            <ChevronRight aria-hidden size={14} className="symbol-chevron" />
            <span className="symbol-code">{symbol}</span>
            <span className="symbol-name">{name}</span>
          </button>
        </th>
        <QuoteCells instrument={instrument} initial={initial} />
      </tr>
      {expanded && (
        <tr role="row" className="board-detail">
          <td role="cell" colSpan={8} id={detailId} className="block">
            <RowSources instrument={instrument} />
          </td>
        </tr>
      )}
    </>
  );
});

const QuoteCells = memo(function QuoteCells(props: { instrument: BoardInstrument; initial: BoardRow | null }) {
  const { instrument, initial } = props;
  const row = useRow({ symbol: instrument.symbol, initial }, wholeRow);
  return row === null ? <EmptyCells /> : <FilledCells row={row} instrument={instrument} />;
});

function FilledCells({ row, instrument }: { row: BoardRow; instrument: BoardInstrument }) {
  const { digits, pipSize } = instrument;
  // Moves from before the row was rendered must not flash.
  const [seen] = useState({ bid: row.bidMoves, ask: row.askMoves });
  return (
    <>
      <td role="cell" className="cell-bid">
        <Price value={row.bid} digits={digits} pipSize={pipSize} move={row.bidMove} flashes={row.bidMoves - seen.bid} />
      </td>
      <td role="cell" className="cell-ask">
        <Price value={row.ask} digits={digits} pipSize={pipSize} move={row.askMove} flashes={row.askMoves - seen.ask} />
      </td>
      <td role="cell" className="cell-spread numerals">
        {row.spreadPips.toFixed(1)}
      </td>
      <td role="cell" className="cell-age numerals">
        <Age timeMs={row.timeMs} />
      </td>
      <td role="cell" className="cell-state">
        <StateMark state={row.state} className="in-data-offline:hidden" />
      </td>
      <td role="cell" className="cell-source">
        {row.source}
      </td>
    </>
  );
}

function Age({ timeMs }: { timeMs: number }) {
  return useAge(timeMs);
}

function EmptyCells() {
  return (
    <>
      <td role="cell" className="cell-bid numerals text-faint">
        –
      </td>
      <td role="cell" className="cell-ask numerals text-faint">
        –
      </td>
      <td role="cell" className="cell-spread numerals text-faint">
        –
      </td>
      <td role="cell" className="cell-age numerals text-faint">
        –
      </td>
      <td role="cell" className="cell-state text-faint">
        no quote yet
      </td>
      <td role="cell" className="cell-source" />
    </>
  );
}
