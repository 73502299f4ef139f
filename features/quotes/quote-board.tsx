"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { BoardHead } from "@/features/quotes/board-head";
import { toNextRow } from "@/features/quotes/board-row";
import { BoardToolbar } from "@/features/quotes/board-toolbar";
import {
  type BoardFilter,
  type BoardSort,
  createSearch,
  isMovingSort,
  sortBoard,
  toNextSort,
} from "@/features/quotes/board-view";
import { ConnectionBadge } from "@/features/quotes/connection-badge";
import { createPriceHistory, PriceHistoryProvider } from "@/features/quotes/price-history";
import { getRowKey, QuoteRow } from "@/features/quotes/quote-row";
import { toggleStar, useStars } from "@/features/quotes/stars";
import type { BoardInstrument, BoardRow, WireRow } from "@/features/quotes/types";
import { type BoardChoice, toBoardHref } from "@/features/quotes/url";
import { useBoard } from "@/features/quotes/use-board";

import "@/features/quotes/board.css";

/** How often rows are sorted again by a column that changes. Rows that move more often are hard to read. */
const RESORT_MS = 2_000;

interface QuoteBoardProps {
  instruments: readonly BoardInstrument[];
  initial: readonly WireRow[];
  /** The choice in the page's address. */
  choice: BoardChoice;
  /** Shown at the end of the toolbar, beside the connection. */
  children?: ReactNode;
}

/**
 * The live board. A tick renders single cells; this component renders only when the visitor searches, filters, sorts or
 * opens a row.
 */
export function QuoteBoard({ instruments, initial, choice: first, children }: QuoteBoardProps) {
  const [history] = useState(createPriceHistory);
  const [initialRows] = useState(() => new Map(initial.map((wire) => [wire[0], toNextRow(undefined, wire)])));
  const { state: connection, note } = useBoard(history);
  const stars = useStars();
  const [choice, change] = useBoardChoice(first);
  const { search, filter, sort, open } = choice;
  const bodyRef = useRef<HTMLTableSectionElement>(null);

  const found = useMemo(
    () => (search.trim() === "" ? instruments : instruments.filter(createSearch(search))),
    [instruments, search],
  );
  const filtered = useMemo(() => {
    if (filter === "all") return found;
    if (filter === "starred") return found.filter(({ symbol }) => stars.has(symbol));
    return found.filter(({ category }) => category === filter);
  }, [found, filter, stars]);
  const shown = useSorted(filtered, sort, initialRows);

  const expand = useCallback(
    (symbol: string) =>
      change(({ open: before }) => ({
        open: before.includes(symbol) ? before.filter((each) => each !== symbol) : [...before, symbol],
      })),
    [change],
  );

  return (
    <PriceHistoryProvider value={history}>
      <BoardToolbar
        found={found}
        stars={stars}
        filter={filter}
        onFilter={(next) => change({ filter: next })}
        search={search}
        onSearch={(next) => change({ search: next })}
        onEnter={() => bodyRef.current?.querySelector<HTMLElement>("[data-row-button]")?.focus()}
      >
        <ConnectionBadge state={connection} />
        {children}
      </BoardToolbar>
      {note !== null && (
        <div role="status" className="px-4 pb-3 max-md:px-3">
          <Notice tone="note">{note}</Notice>
        </div>
      )}
      <p role="status" className="sr-only">
        {search.trim() !== "" && `${shown.length} of ${instruments.length} symbols`}
      </p>
      <table role="table" className="board" data-offline={connection === "offline" || undefined}>
        <caption className="sr-only">Live quotes. Open a row to see the quotes of every source.</caption>
        <BoardHead sort={sort} onSort={(column) => change({ sort: toNextSort(sort, column) })} />
        <tbody role="rowgroup" ref={bodyRef} onKeyDown={moveBetweenRows}>
          {shown.map((instrument) => (
            <QuoteRow
              key={instrument.symbol}
              instrument={instrument}
              initial={initialRows.get(instrument.symbol) ?? null}
              expanded={open.includes(instrument.symbol)}
              starred={stars.has(instrument.symbol)}
              onExpand={expand}
              onStar={toggleStar}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && (
        <NothingShown filter={filter} search={search} onShowAll={() => change({ search: "", filter: "all" })} />
      )}
    </PriceHistoryProvider>
  );
}

type Change = Partial<BoardChoice> | ((before: BoardChoice) => Partial<BoardChoice>);

/** The choice, and a function that changes parts of it. The address follows. */
function useBoardChoice(first: BoardChoice): [choice: BoardChoice, change: (next: Change) => void] {
  const [choice, setChoice] = useState(first);
  const change = useCallback(
    (next: Change) => setChoice((before) => ({ ...before, ...(typeof next === "function" ? next(before) : next) })),
    [],
  );
  useEffect(() => {
    const href = toBoardHref(choice);
    if (href !== location.pathname + location.search) window.history.replaceState(null, "", href);
  }, [choice]);
  return [choice, change];
}

function NothingShown({ filter, search, onShowAll }: { filter: BoardFilter; search: string; onShowAll: () => void }) {
  const searching = search.trim() !== "";
  return (
    <EmptyState
      title={searching ? `Nothing matches “${search.trim()}”` : "No starred symbols yet"}
      action={<Button onClick={onShowAll}>Show all symbols</Button>}
    >
      {searching
        ? filter === "all"
          ? "Search by symbol, by name or by a broker’s spelling: “eur”, “gold”, “dollar yen”, “DAX”."
          : "It may be in another category."
        : "Star a symbol to list it here. Stars are stored in this browser."}
    </EmptyState>
  );
}

/** Moves the focus from one row's button to the next with the arrow keys, or j and k. */
function moveBetweenRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const step =
    event.key === "ArrowDown" || event.key === "j" ? 1 : event.key === "ArrowUp" || event.key === "k" ? -1 : 0;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-row-button]")];
  const row = (event.target as HTMLElement).closest("tr");
  const from = buttons.findIndex((button) => button.closest("tr") === row);
  const next = buttons[from + step];
  if (from === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

function useSorted(
  instruments: readonly BoardInstrument[],
  sort: BoardSort,
  initialRows: ReadonlyMap<string, BoardRow>,
): readonly BoardInstrument[] {
  const client = useQueryClient();
  const order = useCallback(
    () =>
      sortBoard(
        instruments,
        sort,
        (symbol) => client.getQueryData<BoardRow | null>(getRowKey(symbol)) ?? initialRows.get(symbol),
      ),
    [client, instruments, sort, initialRows],
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
