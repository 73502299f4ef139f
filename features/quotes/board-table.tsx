"use client";

import {
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { type BoardSort, type SortColumn, toNextSort } from "@/features/quotes/board-view";
import { BOARD_COLUMNS, type BoardColumn, COLUMN_TEXTS } from "@/features/quotes/columns";
import { QuoteRow } from "@/features/quotes/quote-row";
import type { SymbolStore } from "@/features/quotes/symbol-store";
import type { BoardInstrument, BoardRow } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";
import type { ChangeChoice } from "@/features/quotes/use-board-choice";
import type { QuoteList } from "@/lib/access/quote-list";

interface BoardTableProps {
  shown: readonly BoardInstrument[];
  columns: readonly BoardColumn[];
  choice: BoardChoice;
  change: ChangeChoice;
  rows: SymbolStore<BoardRow>;
  /** The list that the stars belong to. */
  starList: QuoteList;
  /** Whether rows can be moved within their list. */
  isMovable: boolean;
  isOffline: boolean;
  tableRef: Ref<HTMLTableElement>;
  onSort: (column: SortColumn) => void;
  onStar: (symbol: string) => void;
  onMove: MoveRow;
  onStep: StepRow;
  /** What a click on a row does, instead of showing its details. */
  onOpen?: (symbol: string) => void;
  /** The symbol whose row is marked. */
  marked?: string | null;
}

/** The rows with their heading. */
export function BoardTable(props: BoardTableProps) {
  const { shown, columns, choice, change, rows, starList, isMovable, isOffline, tableRef } = props;
  const { onSort, onStar, onMove, onStep, onOpen, marked = null } = props;
  const { sort, open, density } = choice;
  const expand = useCallback(
    (symbol: string) =>
      change(({ open: before }) => ({
        open: before.includes(symbol) ? before.filter((each) => each !== symbol) : [...before, symbol],
      })),
    [change],
  );
  const isWhole = shown.length <= MOST_WHOLE;
  const showers = useRef<Showers>(new Map());
  const showRow = (index: number) => showers.current.get(Math.floor(index / BLOCK_ROWS))?.();
  const starred = useMemo(() => new Set(starList.symbols), [starList]);
  return (
    <div className="board-box">
      <table
        ref={tableRef}
        role="table"
        aria-rowcount={isWhole ? undefined : shown.length + 1}
        className="board"
        data-offline={isOffline || undefined}
        data-density={density}
        data-telling={columns.includes("state") || columns.includes("source") || undefined}
        style={getTracks(columns)}
        onKeyDown={(event) => handleRowKey(event, { shown, onStep: isMovable ? onStep : null, showRow })}
        {...(isMovable ? createDragHandlers(onMove) : {})}
      >
        <caption className="sr-only">Live quotes. Open a row to see the quotes of every source.</caption>
        <BoardHead columns={columns} sort={sort} onSort={onSort} />
        {divide(shown).map((block, at) => (
          <RowBlock
            key={at}
            count={block.length}
            at={at}
            showers={showers}
            render={() =>
              block.map((instrument, index) => (
                <QuoteRow
                  key={instrument.symbol}
                  {...{ instrument, rows, columns, isMovable, onStar }}
                  place={isWhole ? undefined : at * BLOCK_ROWS + index + 1}
                  expanded={open.includes(instrument.symbol)}
                  starred={starred.has(instrument.symbol)}
                  listName={starList.name}
                  onExpand={onOpen ?? expand}
                  opens={onOpen === undefined ? "details" : "symbol"}
                  isMarked={instrument.symbol === marked}
                />
              ))
            }
          />
        ))}
      </table>
    </div>
  );
}

/** All rows of a board of up to so many are in the page, where the browser finds them; a list has no more. */
const MOST_WHOLE = 240;
const BLOCK_ROWS = 40;

/** Divides the rows of a long board into blocks, of which only those near the viewport are rendered. */
function divide(shown: readonly BoardInstrument[]): (readonly BoardInstrument[])[] {
  if (shown.length <= MOST_WHOLE) return [shown];
  return Array.from({ length: Math.ceil(shown.length / BLOCK_ROWS) }, (_, at) =>
    shown.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS),
  );
}

/** What renders each block at once. */
type Showers = Map<number, () => void>;

interface RowBlockProps {
  count: number;
  /** Its place among the blocks. */
  at: number;
  showers: RefObject<Showers>;
  render: () => ReactNode;
}

/**
 * Some rows of a long board. Far from the viewport it is as high as they are, and empty; the first one always has its
 * rows, and each while the focus is in it.
 */
function RowBlock({ count, at, showers, render }: RowBlockProps) {
  const isFirst = at === 0;
  const body = useRef<HTMLTableSectionElement>(null);
  const [place, setPlace] = useState({ isNear: isFirst, extraPx: 0 });
  useEffect(() => {
    const element = body.current;
    if (element === null || isFirst) return;
    const all = showers.current;
    all.set(at, () => flushSync(() => setPlace((before) => ({ ...before, isNear: true }))));
    const unwatch = watchNearness(element, (isNear) => {
      if (!isNear && element.contains(document.activeElement)) return;
      // Open rows make the block higher than its rows alone.
      const rowPx = element.querySelector<HTMLElement>("[data-symbol]")?.offsetHeight;
      const extraPx =
        rowPx === undefined ? null : element.offsetHeight - element.querySelectorAll("[data-symbol]").length * rowPx;
      setPlace((before) => (before.isNear === isNear ? before : { isNear, extraPx: extraPx ?? before.extraPx }));
    });
    return () => {
      unwatch();
      all.delete(at);
    };
  }, [at, isFirst, showers]);
  if (place.isNear)
    return (
      <tbody ref={body} role="rowgroup">
        {render()}
      </tbody>
    );
  return (
    <tbody ref={body} role="presentation" style={{ height: `calc(var(--row) * ${count} + ${place.extraPx}px)` }} />
  );
}

/** How far outside of the viewport rows are rendered, so that scrolling shows no gaps. */
const NEAR_PX = 900;
const watched = new WeakMap<Element, (isNear: boolean) => void>();
let observer: IntersectionObserver | null = null;

/** Calls `onChange` when an element comes near the viewport or leaves it. Returns how to stop. */
function watchNearness(element: Element, onChange: (isNear: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
    },
    { rootMargin: `${NEAR_PX}px 0px` },
  );
  watched.set(element, onChange);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}

/** Columns that are not shown have no width: "--no-age: 0". */
function getTracks(columns: readonly BoardColumn[]): CSSProperties {
  const missing = BOARD_COLUMNS.filter((column) => !columns.includes(column));
  return Object.fromEntries(missing.map((column) => [`--has-${column}`, 0]));
}

interface BoardHeadProps {
  columns: readonly BoardColumn[];
  sort: BoardSort;
  onSort: (column: SortColumn) => void;
}

function BoardHead({ columns, sort, onSort }: BoardHeadProps) {
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

/** Moves a row before another one, or to the end of its list. */
type MoveRow = (symbol: string, before: string | null) => void;
type StepRow = (symbol: string, step: -1 | 1) => void;

const TYPE = "application/x-spotline-symbol";
const readSymbol = (target: EventTarget) => (target as Element).closest<HTMLElement>("[data-symbol]");

/** Handlers of the board that move rows by dragging. One set serves all rows. */
function createDragHandlers(onMove: MoveRow) {
  function mark(body: Element, row: HTMLElement | null, edge: "before" | "after" = "before"): void {
    const marked = body.querySelector<HTMLElement>("[data-drop]");
    if (marked !== row) delete marked?.dataset.drop;
    if (row !== null) row.dataset.drop = edge;
  }

  const isAfter = (row: HTMLElement, event: DragEvent) => {
    const { top, height } = row.getBoundingClientRect();
    return event.clientY > top + height / 2;
  };

  return {
    onDragStart(event: DragEvent): void {
      const symbol = readSymbol(event.target)?.dataset.symbol;
      if (symbol === undefined) return;
      event.dataTransfer.setData(TYPE, symbol);
      event.dataTransfer.setData("text/plain", symbol);
      event.dataTransfer.effectAllowed = "move";
    },
    onDragOver(event: DragEvent): void {
      if (!event.dataTransfer.types.includes(TYPE)) return;
      event.preventDefault();
      const row = readSymbol(event.target);
      mark(event.currentTarget, row, row !== null && isAfter(row, event) ? "after" : "before");
    },
    onDrop(event: DragEvent): void {
      const [symbol, row] = [event.dataTransfer.getData(TYPE), readSymbol(event.target)];
      mark(event.currentTarget, null);
      if (symbol === "" || row === null) return;
      event.preventDefault();
      const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-symbol]")];
      const target = isAfter(row, event) ? rows[rows.indexOf(row) + 1] : row;
      onMove(symbol, target?.dataset.symbol ?? null);
    },
    onDragEnd: (event: DragEvent) => mark(event.currentTarget, null),
    onDragLeave(event: DragEvent): void {
      if (event.target === event.currentTarget) mark(event.currentTarget, null);
    },
  };
}

/**
 * Moves the focus from one row's button to the next with the arrow keys, or j and k; `showRow` renders the next one if it
 * is not in the page yet. With Alt, arrow keys move the row itself, if `onStep` is given.
 */
function handleRowKey(event: KeyboardEvent<HTMLElement>, { shown, onStep, showRow }: RowKeys): void {
  const step = getStep(event.key);
  if (step === null || event.ctrlKey || event.metaKey) return;
  const row = readSymbol(event.target);
  const symbol = row?.dataset.symbol;
  if (row === null || symbol === undefined) return;
  if (event.altKey) {
    if (onStep === null || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    onStep(symbol, step);
    return;
  }
  const at = shown.findIndex((each) => each.symbol === symbol) + step;
  const next = shown[at]?.symbol;
  if (next === undefined) return;
  event.preventDefault();
  const table = event.currentTarget;
  const find = () => table.querySelector<HTMLElement>(`[data-symbol="${CSS.escape(next)}"] [data-row-button]`);
  if (find() === null) showRow(at);
  find()?.focus();
}

interface RowKeys {
  readonly shown: readonly BoardInstrument[];
  readonly onStep: StepRow | null;
  readonly showRow: (index: number) => void;
}

function getStep(key: string): -1 | 1 | null {
  if (key === "ArrowDown" || key === "j") return 1;
  return key === "ArrowUp" || key === "k" ? -1 : null;
}
