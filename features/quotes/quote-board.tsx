"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { BoardHead } from "@/features/quotes/board-head";
import { toNextRow } from "@/features/quotes/board-row";
import { type BoardFilter, BoardToolbar } from "@/features/quotes/board-toolbar";
import { type BoardSort, isMovingSort, matchesSearch, sortBoard, toNextSort } from "@/features/quotes/board-view";
import { ConnectionBadge } from "@/features/quotes/connection-badge";
import { createPriceHistory, PriceHistoryProvider } from "@/features/quotes/price-history";
import { getRowKey, QuoteRow } from "@/features/quotes/quote-row";
import { toggleStar, useStars } from "@/features/quotes/stars";
import type { BoardInstrument, BoardRow, WireRow } from "@/features/quotes/types";
import { useBoard } from "@/features/quotes/use-board";

import "@/features/quotes/board.css";

/** How often rows are sorted again by a column that changes. Rows that move more often are hard to read. */
const RESORT_MS = 2_000;

interface QuoteBoardProps {
  instruments: readonly BoardInstrument[];
  initial: readonly WireRow[];
  /** Shown at the end of the toolbar, beside the connection. */
  children?: ReactNode;
}

/**
 * The live board. A tick renders single cells; this component renders only when the visitor searches, filters, sorts or
 * opens a row.
 */
export function QuoteBoard({ instruments, initial, children }: QuoteBoardProps) {
  const [history] = useState(createPriceHistory);
  const [initialRows] = useState(() => new Map(initial.map((wire) => [wire[0], toNextRow(undefined, wire)])));
  const connection = useBoard(history);
  const stars = useStars();
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<BoardFilter>("all");
  const [sort, setSort] = useState<BoardSort>({ column: null, descending: false });
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const bodyRef = useRef<HTMLTableSectionElement>(null);

  const found = useMemo(
    () => instruments.filter((instrument) => search.trim() === "" || matchesSearch(instrument, search)),
    [instruments, search],
  );
  const filtered = useMemo(() => {
    if (filter === "all") return found;
    if (filter === "starred") return found.filter(({ symbol }) => stars.has(symbol));
    return found.filter(({ category }) => category === filter);
  }, [found, filter, stars]);
  const shown = useSorted(filtered, sort, initialRows);

  const expand = useCallback((symbol: string) => {
    setExpanded((before) => {
      const after = new Set(before);
      if (!after.delete(symbol)) after.add(symbol);
      return after;
    });
  }, []);
  const showAll = () => {
    setSearch("");
    setFilter("all");
  };

  return (
    <PriceHistoryProvider value={history}>
      <BoardToolbar
        found={found}
        stars={stars}
        filter={filter}
        onFilter={setFilter}
        search={search}
        onSearch={setSearch}
        onEnter={() => bodyRef.current?.querySelector<HTMLElement>("[data-row-button]")?.focus()}
      >
        <ConnectionBadge state={connection} />
        {children}
      </BoardToolbar>
      <p role="status" className="sr-only">
        {search.trim() !== "" && `${shown.length} of ${instruments.length} symbols`}
      </p>
      <table role="table" className="board" data-offline={connection === "offline" || undefined}>
        <caption className="sr-only">Live quotes. Open a row to see the quotes of every source.</caption>
        <BoardHead sort={sort} onSort={(column) => setSort((before) => toNextSort(before, column))} />
        <tbody role="rowgroup" ref={bodyRef} onKeyDown={moveBetweenRows}>
          {shown.map((instrument) => (
            <QuoteRow
              key={instrument.symbol}
              instrument={instrument}
              initial={initialRows.get(instrument.symbol) ?? null}
              expanded={expanded.has(instrument.symbol)}
              starred={stars.has(instrument.symbol)}
              onExpand={expand}
              onStar={toggleStar}
            />
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <NothingShown filter={filter} search={search} onShowAll={showAll} />}
    </PriceHistoryProvider>
  );
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
          ? "Search by symbol or by name: “eur”, “gold”, “dollar yen”."
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
