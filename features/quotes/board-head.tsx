import { type BoardSort, type SortColumn, toNextSort } from "@/features/quotes/board-view";

const columns: readonly { column: SortColumn; label: string; className: string }[] = [
  { column: "symbol", label: "Symbol", className: "cell-symbol" },
  { column: "bid", label: "Bid", className: "cell-bid" },
  { column: "ask", label: "Ask", className: "cell-ask" },
  { column: "spread", label: "Spread, pips", className: "cell-spread" },
  { column: "age", label: "Age", className: "cell-age" },
  { column: "state", label: "State", className: "cell-state" },
  { column: "source", label: "Source", className: "cell-source" },
];

interface BoardHeadProps {
  sort: BoardSort;
  onSort: (column: SortColumn) => void;
}

export function BoardHead({ sort, onSort }: BoardHeadProps) {
  return (
    <thead role="rowgroup" className="board-head">
      <tr role="row" className="board-row-head">
        <th role="columnheader" scope="col" className="cell-star">
          <span className="sr-only">Star</span>
        </th>
        {columns.map(({ column, label, className }) => {
          const active = sort.column === column;
          const next = toNextSort(sort, column);
          const then = next.column === null ? "stop sorting" : next.descending ? "sort descending" : "sort ascending";
          return (
            <th
              key={column}
              role="columnheader"
              scope="col"
              className={className}
              aria-sort={active ? (sort.descending ? "descending" : "ascending") : "none"}
            >
              <button type="button" onClick={() => onSort(column)} title={`${label}: ${then}`} className="sort-button">
                {label}
                <span
                  aria-hidden
                  className="sort-arrow"
                  data-sort={active ? (sort.descending ? "down" : "up") : "none"}
                />
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
