import { useState } from "react";
import { useAge } from "@/components/shared/market-clock";
import { StateMark } from "@/components/shared/state-mark";
import type { BoardColumn } from "@/features/quotes/columns/columns";
import { ChangeCell, PercentCell, RangeCell } from "@/features/quotes/columns/day-cells";
import { SpreadCell, UsualCell } from "@/features/quotes/columns/spread-cells";
import { Price } from "@/features/quotes/row/price";
import { SparkCell } from "@/features/quotes/sparks/spark-cell";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";

interface CellsProps {
  row: BoardRow | null;
  instrument: BoardInstrument;
  columns: readonly BoardColumn[];
}

/** The cells of one row, from its newest quote. */
export function QuoteCells({ row, instrument, columns }: CellsProps) {
  // Moves from before the row was rendered must not flash.
  const [seen] = useState({ bid: row?.bidMoves ?? 0, ask: row?.askMoves ?? 0 });
  return columns.map((column) => (
    <Cell key={column} column={column} row={row} instrument={instrument} seenMoves={seen} />
  ));
}

interface CellProps {
  column: BoardColumn;
  row: BoardRow | null;
  instrument: BoardInstrument;
  seenMoves: { readonly bid: number; readonly ask: number };
}

function Cell({ column, row, instrument, seenMoves }: CellProps) {
  const { symbol, digits, pipSize } = instrument;
  switch (column) {
    case "bid":
    case "ask":
      return (
        <td role="cell" className={`cell-${column} numerals`}>
          {row === null ? (
            <span className="pr-1.5 text-faint">–</span>
          ) : (
            <Price
              value={row[column]}
              digits={digits}
              pipSize={pipSize}
              move={row[`${column}Move`]}
              flashes={row[`${column}Moves`] - seenMoves[column]}
            />
          )}
        </td>
      );
    case "spread":
      return <SpreadCell symbol={symbol} row={row} />;
    case "usual":
      return <UsualCell symbol={symbol} />;
    case "change":
      return <ChangeCell row={row} instrument={instrument} />;
    case "percent":
      return <PercentCell row={row} instrument={instrument} />;
    case "range":
      return <RangeCell row={row} instrument={instrument} />;
    case "spark":
      return <SparkCell symbol={symbol} />;
    case "age":
      return (
        <td role="cell" className="cell-age numerals">
          {row === null ? <span className="text-faint">–</span> : <Age timeMs={row.timeMs} />}
        </td>
      );
    case "state":
      return (
        <td role="cell" className="cell-state">
          {row === null ? (
            <span className="text-faint">no quote yet</span>
          ) : (
            <StateMark state={row.state} className="in-data-offline:hidden" />
          )}
        </td>
      );
    case "source":
      return (
        <td role="cell" className="cell-source">
          {row?.source}
        </td>
      );
  }
}

function Age({ timeMs }: { timeMs: number }) {
  return useAge(timeMs);
}
