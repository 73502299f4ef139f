"use client";

import type { ReactNode } from "react";
import { ChoiceTabs } from "@/components/ui/tabs";
import { Toolbar } from "@/components/ui/toolbar";
import { BoardSearch, type BoardSearchProps } from "@/features/quotes/board-search";
import { BOARD_FILTERS, type BoardFilter } from "@/features/quotes/board-view";
import type { BoardInstrument } from "@/features/quotes/types";

const LABELS: Readonly<Record<BoardFilter, string>> = {
  all: "All",
  forex: "Forex",
  metals: "Metals",
  commodities: "Commodities",
  indices: "Indices",
  crypto: "Crypto",
  stocks: "Stocks",
};

interface BoardToolbarProps extends BoardSearchProps {
  /** The instruments of the list that match the search, for the counts. */
  found: readonly BoardInstrument[];
  /** The menu of lists. */
  lists: ReactNode;
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
  children: ReactNode;
}

export function BoardToolbar(props: BoardToolbarProps) {
  const { found, lists, filter, onFilter, search, onSearch, onEnter, children } = props;
  const count = (which: BoardFilter): number =>
    which === "all" ? found.length : found.filter(({ category }) => category === which).length;
  return (
    <Toolbar>
      {lists}
      <BoardSearch search={search} onSearch={onSearch} onEnter={onEnter} />
      <ChoiceTabs
        label="Category"
        choices={BOARD_FILTERS}
        chosen={filter}
        onChoose={onFilter}
        format={(which) => (
          <>
            {LABELS[which]} <span className="numerals ml-0.5 text-xs11 text-faint">{count(which)}</span>
          </>
        )}
      />
      <div className="ml-auto flex items-center gap-2 max-md:gap-1">{children}</div>
    </Toolbar>
  );
}
