"use client";

import { type ReactNode, useCallback, useRef, useState } from "react";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { NewsProvider } from "@/components/shared/news-mark";
import type { ApiRequest } from "@/components/shared/write-code";
import { announce } from "@/components/ui/announcer";
import { BoardLists } from "@/features/quotes/board-lists";
import { readInitialRows } from "@/features/quotes/board-row";
import { BoardTable } from "@/features/quotes/board-table";
import { BoardNotices, BoardToolbar, ConnectionBadge, NothingShown, ViewMenu } from "@/features/quotes/board-toolbar";
import { type SharedList, toNextSort } from "@/features/quotes/board-view";
import { createExtras, ExtrasProvider } from "@/features/quotes/extras";
import { addList, moveSymbol, stepSymbol, toggleSymbol } from "@/features/quotes/list-changes";
import { createPriceHistory, PriceHistoryProvider } from "@/features/quotes/price-history";
import { createSymbolStore } from "@/features/quotes/symbol-store";
import type { BoardInstrument, BoardUpdate, ListedInstruments, SavedLists } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";
import { useBoard } from "@/features/quotes/use-board";
import { useBoardChoice } from "@/features/quotes/use-board-choice";
import { useInstruments } from "@/features/quotes/use-instruments";
import { useLists } from "@/features/quotes/use-lists";
import { type FirstSearch, useFiltered, useSorted, useTellingColumns } from "@/features/quotes/use-sorted";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

import "@/features/quotes/board.css";
import "@/features/quotes/board-cells.css";
import "@/features/quotes/board-room.css";
import "@/features/quotes/row/price.css";

const ALL_SYMBOLS = { search: "", filter: "all", list: null, shared: null } as const;
/** A call of the API takes at most as many symbols. */
const MOST_OF_A_CALL = 100;

interface QuoteBoardProps {
  listed: ListedInstruments;
  initial: Pick<BoardUpdate, "rows" | "days">;
  savedLists: SavedLists;
  /** The choice in the page's address. */
  firstChoice: BoardChoice;
  /** What the server found for its search. */
  firstSearch: FirstSearch;
  /** Shown at the end of the toolbar, beside the connection. */
  children?: ReactNode;
}

/**
 * The live board. A tick renders single cells; this component renders only when the visitor searches, filters, sorts,
 * opens a row or changes a list.
 */
export function QuoteBoard({
  listed: firstListed,
  initial,
  savedLists,
  firstChoice,
  firstSearch,
  children,
}: QuoteBoardProps) {
  const [{ history, extras, rows }] = useState(() => ({
    ...{ history: createPriceHistory(), extras: createExtras() },
    rows: createSymbolStore(readInitialRows(initial)),
  }));
  const { instruments, follow } = useInstruments(firstListed);
  const { state: connection, note } = useBoard({ rows, history, extras, initial, onCatalog: follow });
  const { lists, change: changeLists, saveState } = useLists(savedLists, instruments);
  const [choice, change] = useBoardChoice(firstChoice);
  const { search, sort, shared } = choice;
  const current = lists.find(({ slug }) => slug === choice.list) ?? null;
  const tableRef = useRef<HTMLTableElement>(null);

  const symbols = shared?.symbols ?? current?.symbols ?? null;
  const { listed, found, filtered } = useFiltered(instruments, symbols, choice, firstSearch);
  const shown = useSorted(filtered, sort, { rows, usual: extras.usual });
  const columns = useTellingColumns(choice.columns, filtered, rows);

  // The star belongs to the list that is shown, and to the default one beside all symbols.
  const starList = current ?? (lists.find((list) => list.slug === DEFAULT_LIST.slug) as QuoteList);
  const { slug } = starList;
  const star = useCallback(
    (symbol: string) => changeLists((before) => toggleSymbol(before, slug, symbol)),
    [changeLists, slug],
  );
  const saveShared = (saved: SharedList): void => {
    changeLists((before) => addList(before, saved).lists);
    change({ list: addList(lists, saved).slug, shared: null });
  };

  return (
    <PriceHistoryProvider value={history}>
      <ExtrasProvider value={extras}>
        <BoardToolbar
          found={found}
          filter={choice.filter}
          onFilter={(next) => change({ filter: next })}
          search={search}
          onSearch={(next) => change({ search: next })}
          onEnter={() => tableRef.current?.querySelector<HTMLElement>("[data-row-button]")?.focus()}
          lists={
            <BoardLists
              lists={lists}
              current={current}
              instruments={instruments}
              onChange={changeLists}
              onChoose={(list) => change({ list, shared: null })}
            />
          }
        >
          <ApiCallButton of="Quotes" requests={listRequests(shown)} />
          <ViewMenu choice={choice} onChange={change} />
          {connection !== null && <ConnectionBadge state={connection} />}
          {children}
        </BoardToolbar>
        <BoardNotices
          note={note}
          isOffline={connection === "offline"}
          shared={shared}
          lists={lists}
          saveState={saveState}
          onLeave={() => change({ shared: null })}
          onSave={saveShared}
        />
        <FoundStatus search={search} counts={`${shown.length} of ${listed.length} symbols`} />
        <NewsProvider>
          <BoardTable
            {...{ shown, columns, choice, change, rows, tableRef, starList }}
            isMovable={current !== null && sort.column === null}
            isOffline={connection === "offline"}
            onSort={(column) => change({ sort: toNextSort(sort, column) })}
            onStar={star}
            onMove={(symbol, before) => changeLists((all) => moveSymbol(all, slug, symbol, before))}
            onStep={(symbol, step) => {
              changeLists((all) => stepSymbol(all, slug, symbol, { step, shown: shown.map((each) => each.symbol) }));
              announce(`${symbol} moved ${step === -1 ? "up" : "down"}`);
            }}
          />
        </NewsProvider>
        {shown.length === 0 && <NothingShown choice={choice} list={current} onShowAll={() => change(ALL_SYMBOLS)} />}
      </ExtrasProvider>
    </PriceHistoryProvider>
  );
}

/** For screen readers: how many symbols a search has found. */
function FoundStatus({ search, counts }: { search: string; counts: string }) {
  return (
    <p role="status" className="sr-only">
      {search.trim() !== "" && counts}
    </p>
  );
}

function listRequests(shown: readonly BoardInstrument[]): ApiRequest[] {
  const symbols = shown.map(({ symbol }) => symbol);
  return Array.from({ length: Math.ceil(symbols.length / MOST_OF_A_CALL) }, (_, index) => ({
    path: "/v1/quotes",
    body: { symbols: symbols.slice(index * MOST_OF_A_CALL, (index + 1) * MOST_OF_A_CALL) },
  }));
}
