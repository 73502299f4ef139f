"use client";

import { Search, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { BoardInstrument } from "@/features/quotes/board-row";
import { CATEGORIES, type Category } from "@/lib/market/instrument";

export type BoardFilter = Category | "all" | "starred";

const labels: Readonly<Record<BoardFilter, string>> = {
  all: "All",
  starred: "Starred",
  forex: "Forex",
  metals: "Metals",
  commodities: "Commodities",
  indices: "Indices",
  crypto: "Crypto",
  stocks: "Stocks",
};

interface BoardToolbarProps {
  /** What the search leaves over, for the counts. */
  found: readonly BoardInstrument[];
  stars: ReadonlySet<string>;
  filter: BoardFilter;
  onFilter: (filter: BoardFilter) => void;
  search: string;
  onSearch: (search: string) => void;
  /** Enter or arrow down in the search box: on to the first row. */
  onEnter: () => void;
  children: ReactNode;
}

export function BoardToolbar(props: BoardToolbarProps) {
  const { found, stars, filter, onFilter, search, onSearch, onEnter, children } = props;
  const count = (which: BoardFilter): number =>
    which === "all"
      ? found.length
      : found.filter(({ symbol, category }) => (which === "starred" ? stars.has(symbol) : category === which)).length;
  return (
    <div className="board-toolbar">
      <SearchBox search={search} onSearch={onSearch} onEnter={onEnter} />
      <div role="group" aria-label="Category" className="board-tabs">
        {(["all", "starred", ...CATEGORIES] as const).map((which) => (
          <button
            key={which}
            type="button"
            aria-pressed={filter === which}
            onClick={() => onFilter(which)}
            className="board-tab"
          >
            {labels[which]} <span className="board-tab-count numerals">{count(which)}</span>
          </button>
        ))}
      </div>
      <div className="board-status">{children}</div>
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function SearchBox({ search, onSearch, onEnter }: Pick<BoardToolbarProps, "search" | "onSearch" | "onEnter">) {
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

  function steer(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.key === "Escape") {
      if (search === "") ref.current?.blur();
      onSearch("");
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      onEnter();
    }
  }

  return (
    <div className="search-box" role="search">
      <Search aria-hidden size={15} strokeWidth={1.75} className="search-icon" />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        aria-label="Search symbols"
        aria-keyshortcuts="/"
        placeholder="Search symbols"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={steer}
        className="search-input"
      />
      {search === "" ? (
        <kbd aria-hidden className="search-key">
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
          className="search-clear"
        >
          <X aria-hidden size={14} />
        </button>
      )}
    </div>
  );
}
