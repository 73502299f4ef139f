import { type BoardSort, SORT_COLUMNS } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, type BoardColumn, COLUMN_TEXTS, DENSITIES, type Density } from "@/features/quotes/columns";
import type { BoardChoice } from "@/features/quotes/url";
import type { ChangeChoice } from "@/features/quotes/use-board-choice";

export interface ViewPanelProps {
  choice: BoardChoice;
  onChange: ChangeChoice;
}

const DENSITY_LABELS: Readonly<Record<Density, string>> = { normal: "Normal", compact: "Compact" };
const ITEM_CLASS = "flex min-h-8 items-center gap-2.5 rounded-sm px-2 hover:bg-hover max-md:min-h-10";

/** The choices of the menu "View". */
export function ViewPanel({ choice, onChange }: ViewPanelProps) {
  const { columns, density, sort } = choice;
  return (
    <>
      <Part title="Columns">
        {BOARD_COLUMNS.map((column) => (
          <ColumnItem key={column} column={column} columns={columns} onChange={onChange} />
        ))}
        <p className="px-2 pt-1 text-xs11 text-faint">Columns without room are hidden.</p>
      </Part>
      <Part title="Rows">
        {DENSITIES.map((each) => (
          <label key={each} className={ITEM_CLASS}>
            <input
              type="radio"
              name="density"
              checked={density === each}
              onChange={() => onChange({ density: each })}
              className="accent-accent"
            />
            {DENSITY_LABELS[each]}
          </label>
        ))}
      </Part>
      <SortPart sort={sort} onSort={(next) => onChange({ sort: next })} />
    </>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="border-b border-line p-1.5 last:border-b-0">
      <legend className="float-left w-full px-2 pt-1 pb-1 text-xs11 text-faint">{title}</legend>
      <div className="clear-both">{children}</div>
    </fieldset>
  );
}

interface ColumnItemProps {
  column: BoardColumn;
  columns: readonly BoardColumn[];
  onChange: ChangeChoice;
}

function ColumnItem({ column, columns, onChange }: ColumnItemProps) {
  const { label, meaning } = COLUMN_TEXTS[column];
  const isShown = columns.includes(column);
  return (
    <label className={ITEM_CLASS} title={meaning}>
      <input
        type="checkbox"
        checked={isShown}
        onChange={() =>
          onChange({
            columns: BOARD_COLUMNS.filter((each) => (each === column ? !isShown : columns.includes(each))),
          })
        }
        className="accent-accent"
      />
      <span className="flex-1">{label}</span>
      {(column === "state" || column === "source") && <span className="text-xs11 text-faint">while rows differ</span>}
    </label>
  );
}

function SortPart({ sort, onSort }: { sort: BoardSort; onSort: (sort: BoardSort) => void }) {
  const field = "h-8 rounded-md border border-edge bg-raised px-2 text-ink max-md:h-10 max-md:text-base";
  return (
    <Part title="Order">
      <div className="flex gap-2 px-2 pb-1">
        <select
          aria-label="Sort by"
          value={sort.column ?? ""}
          onChange={(event) =>
            onSort({ ...sort, column: SORT_COLUMNS.find((each) => each === event.target.value) ?? null })
          }
          className={`min-w-0 flex-1 ${field}`}
        >
          <option value="">The list’s order</option>
          {SORT_COLUMNS.map((column) => (
            <option key={column} value={column}>
              {column === "symbol" ? "Symbol" : COLUMN_TEXTS[column].label}
            </option>
          ))}
        </select>
        <select
          aria-label="Direction"
          value={sort.descending ? "down" : "up"}
          disabled={sort.column === null}
          onChange={(event) => onSort({ ...sort, descending: event.target.value === "down" })}
          className={field}
        >
          <option value="up">Ascending</option>
          <option value="down">Descending</option>
        </select>
      </div>
    </Part>
  );
}
