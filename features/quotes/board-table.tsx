"use client";

import { type CSSProperties, type Ref, useCallback, useMemo } from "react";
import { BoardHead } from "@/features/quotes/board-head";
import type { SortColumn } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, type BoardColumn } from "@/features/quotes/columns/columns";
import { createDragHandlers, handleRowKey, type MoveRow, type StepRow } from "@/features/quotes/lists/move-rows";
import { QuoteRow } from "@/features/quotes/row/quote-row";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";
import type { ChangeChoice } from "@/features/quotes/use-board-choice";
import type { QuoteList } from "@/lib/access/quote-list";

interface BoardTableProps {
  shown: readonly BoardInstrument[];
  columns: readonly BoardColumn[];
  choice: BoardChoice;
  change: ChangeChoice;
  initialRows: ReadonlyMap<string, BoardRow>;
  /** The list that the stars belong to. */
  starList: QuoteList;
  /** Whether rows can be moved within their list. */
  isMovable: boolean;
  isOffline: boolean;
  bodyRef: Ref<HTMLTableSectionElement>;
  onSort: (column: SortColumn) => void;
  onStar: (symbol: string) => void;
  onMove: MoveRow;
  onStep: StepRow;
}

/** The rows with their heading. */
export function BoardTable(props: BoardTableProps) {
  const { shown, columns, choice, change, initialRows, starList, isMovable, isOffline, bodyRef } = props;
  const { onSort, onStar, onMove, onStep } = props;
  const { sort, open, density } = choice;
  const expand = useCallback(
    (symbol: string) =>
      change(({ open: before }) => ({
        open: before.includes(symbol) ? before.filter((each) => each !== symbol) : [...before, symbol],
      })),
    [change],
  );
  const starred = useMemo(() => new Set(starList.symbols), [starList]);
  return (
    <div className="board-box">
      <table
        role="table"
        className="board"
        data-offline={isOffline || undefined}
        data-density={density}
        data-telling={columns.includes("state") || columns.includes("source") || undefined}
        style={getTracks(columns)}
      >
        <caption className="sr-only">Live quotes. Open a row to see the quotes of every source.</caption>
        <BoardHead columns={columns} sort={sort} onSort={onSort} />
        <tbody
          role="rowgroup"
          ref={bodyRef}
          onKeyDown={(event) => handleRowKey(event, isMovable ? onStep : null)}
          {...(isMovable ? createDragHandlers(onMove) : {})}
        >
          {shown.map((instrument) => (
            <QuoteRow
              key={instrument.symbol}
              instrument={instrument}
              initial={initialRows.get(instrument.symbol) ?? null}
              columns={columns}
              expanded={open.includes(instrument.symbol)}
              starred={starred.has(instrument.symbol)}
              listName={starList.name}
              isMovable={isMovable}
              onExpand={expand}
              onStar={onStar}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Columns that are not shown have no width: "--no-age: 0". */
function getTracks(columns: readonly BoardColumn[]): CSSProperties {
  const missing = BOARD_COLUMNS.filter((column) => !columns.includes(column));
  return Object.fromEntries(missing.map((column) => [`--has-${column}`, 0]));
}
