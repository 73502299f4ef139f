import { type BoardSort, type SortColumn, toNextSort } from "@/features/quotes/board-view";
import { type BoardColumn, COLUMN_TEXTS } from "@/features/quotes/columns/columns";

interface BoardHeadProps {
  columns: readonly BoardColumn[];
  sort: BoardSort;
  onSort: (column: SortColumn) => void;
}

export function BoardHead({ columns, sort, onSort }: BoardHeadProps) {
  return (
    <thead role="rowgroup" className="board-head">
      <tr role="row" className="board-row-head">
        <th role="columnheader" scope="col" className="cell-star">
          <span className="sr-only">Star</span>
        </th>
        <SortHeading column="symbol" label="Symbol" meaning="" sort={sort} onSort={onSort} />
        {columns.map((column) => {
          const { label, meaning } = COLUMN_TEXTS[column];
          // A line has no order.
          return column === "spark" ? (
            <th key={column} role="columnheader" scope="col" className="cell-spark" title={meaning}>
              <span className="text-xs12 text-faint">{label}</span>
            </th>
          ) : (
            <SortHeading key={column} {...{ column, label, meaning, sort, onSort }} />
          );
        })}
      </tr>
    </thead>
  );
}

interface SortHeadingProps extends Omit<BoardHeadProps, "columns"> {
  column: SortColumn;
  label: string;
  meaning: string;
}

function SortHeading({ column, label, meaning, sort, onSort }: SortHeadingProps) {
  const active = sort.column === column;
  const next = toNextSort(sort, column);
  const then = next.column === null ? "Stop sorting" : next.descending ? "Sort descending" : "Sort ascending";
  return (
    <th
      role="columnheader"
      scope="col"
      className={`cell-${column}`}
      aria-sort={active ? (sort.descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        onClick={() => onSort(column)}
        title={meaning === "" ? then : `${meaning} ${then}.`}
        className="sort-button"
      >
        {label}
        <span aria-hidden className="sort-arrow" data-sort={active ? (sort.descending ? "down" : "up") : "none"} />
      </button>
    </th>
  );
}
