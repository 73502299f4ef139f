"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { SearchBox } from "@/components/ui/search-box";
import { ChoiceTabs } from "@/components/ui/tabs";
import { Toolbar } from "@/components/ui/toolbar";
import { BOARD_FILTERS, type BoardFilter } from "@/features/quotes/board-view";
import type { BoardInstrument } from "@/features/quotes/types";
import { LONGEST_SEARCH } from "@/features/quotes/url";

const LABELS: Readonly<Record<BoardFilter, string>> = {
  all: "All",
  forex: "Forex",
  metals: "Metals",
  commodities: "Commodities",
  indices: "Indices",
  crypto: "Crypto",
  stocks: "Stocks",
};

interface BoardToolbarProps {
  /** The instruments of the list that match the search, for the counts. */
  found: readonly BoardInstrument[];
  /** The menu of lists. */
  lists: ReactNode;
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
  search: string;
  onSearch: (search: string) => void;
  /** Called for Enter and arrow down in the search box; moves the focus to the first row. */
  onEnter: () => void;
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

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The classes of the element at the end of the search field. */
const END_CLASS = "absolute top-1.5 right-1.5 grid place-items-center rounded-sm";

function BoardSearch({ search, onSearch, onEnter }: Pick<BoardToolbarProps, "search" | "onSearch" | "onEnter">) {
  const ref = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const focusSearch = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      ref.current?.focus();
      ref.current?.select();
    };
    addEventListener("keydown", focusSearch);
    return () => removeEventListener("keydown", focusSearch);
  }, []);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Escape") {
      if (search === "") ref.current?.blur();
      onSearch("");
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      onEnter();
    }
  }

  return (
    <SearchBox
      ref={ref}
      type="text"
      inputMode="search"
      label="Search symbols"
      aria-keyshortcuts="/"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={LONGEST_SEARCH}
      value={search}
      onChange={(event) => onSearch(event.target.value)}
      onKeyDown={onKeyDown}
      boxClassName="w-52 max-md:order-first max-md:w-auto max-md:flex-[1_1_100%]"
    >
      {search === "" ? (
        <kbd
          aria-hidden
          className={`pointer-events-none size-5 border border-line text-xs11 text-faint max-md:hidden ${END_CLASS}`}
        >
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear the search"
          onClick={() => {
            onSearch("");
            ref.current?.focus();
          }}
          className={`size-5 text-faint hover:text-ink max-md:size-7 ${END_CLASS}`}
        >
          <X aria-hidden size={14} />
        </button>
      )}
    </SearchBox>
  );
}
