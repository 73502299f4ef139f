"use client";

import { useState } from "react";
import { PanelLoading, PanelMessage, PanelStale } from "@/components/shared/panel";
import { readInitialRows } from "@/features/quotes/board-row";
import { BoardTable } from "@/features/quotes/board-table";
import { type BoardSort, toNextSort } from "@/features/quotes/board-view";
import { createExtras, ExtrasProvider } from "@/features/quotes/extras";
import { createPriceHistory, PriceHistoryProvider } from "@/features/quotes/price-history";
import { createSymbolStore } from "@/features/quotes/symbol-store";
import type { BoardChoice } from "@/features/quotes/url";
import { useBoard } from "@/features/quotes/use-board";
import { useInstruments } from "@/features/quotes/use-instruments";
import { type PanelBoard, usePanelBoard } from "@/features/quotes/use-panel-board";
import { useFiltered, useSorted } from "@/features/quotes/use-sorted";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";
import type { Category } from "@/lib/market/instrument";

import "@/features/quotes/board.css";
import "@/features/quotes/board-cells.css";
import "@/features/quotes/board-room.css";
import "@/features/quotes/row/price.css";
import "@/features/quotes/board-panel.css";

interface BoardPanelProps {
  /** The slug of one of the account's lists; null for all symbols. */
  list: string | null;
  category: Category | null;
  /** The symbol of the linked panels, which is marked; null without one. */
  shown: string | null;
  onSymbol: (symbol: string) => void;
}

/** The live board in a panel of a screen. A row leads the linked panels to its symbol. */
export function BoardPanel(props: BoardPanelProps) {
  const { data, failureCount } = usePanelBoard();
  if (data !== undefined) return <LoadedBoard {...props} {...data} />;
  return failureCount > 0 ? (
    <PanelMessage title="The quotes could not be loaded">Trying again.</PanelMessage>
  ) : (
    <PanelLoading what="quotes" />
  );
}

const COLUMNS = ["bid", "ask", "spread", "percent"] as const;
const NO_SEARCH = { search: "", found: [] } as const;
const NOTHING_STARRED: QuoteList = { ...DEFAULT_LIST };
const ignore = (): void => {};

function LoadedBoard({ list, category, shown, onSymbol, listed, board, lists }: BoardPanelProps & PanelBoard) {
  const [{ history, extras, rows }] = useState(() => ({
    ...{ history: createPriceHistory(), extras: createExtras() },
    rows: createSymbolStore(readInitialRows(board)),
  }));
  const [sort, setSort] = useState<BoardSort>({ column: null, descending: false });
  const { instruments, follow } = useInstruments(listed);
  const { state } = useBoard({ rows, history, extras, initial: board, onCatalog: follow });
  const choice: BoardChoice = {
    ...{ search: "", filter: category ?? "all", list, shared: null },
    ...{ sort, open: [], columns: COLUMNS, density: "compact" },
  };
  const chosen = lists.find(({ slug }) => slug === list);
  const { filtered } = useFiltered(instruments, chosen?.symbols ?? null, choice, NO_SEARCH);
  const sorted = useSorted(filtered, sort, { rows, usual: extras.usual });
  const isOffline = state === "offline";
  return (
    <PriceHistoryProvider value={history}>
      <ExtrasProvider value={extras}>
        {isOffline && <PanelStale />}
        {sorted.length === 0 ? (
          <PanelMessage title="No symbols">
            {chosen?.symbols.length === 0 ? `${chosen.name} is empty. Star symbols on the board.` : "None matches."}
          </PanelMessage>
        ) : (
          <BoardTable
            {...{ choice, rows, isOffline, shown: sorted, columns: COLUMNS }}
            change={ignore}
            tableRef={null}
            starList={NOTHING_STARRED}
            isMovable={false}
            marked={shown}
            onOpen={onSymbol}
            onSort={(column) => setSort((before) => toNextSort(before, column))}
            onStar={ignore}
            onMove={ignore}
            onStep={ignore}
          />
        )}
      </ExtrasProvider>
    </PriceHistoryProvider>
  );
}
