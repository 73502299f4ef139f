"use client";

import { SlidersHorizontal, X } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import type { ConnectionState } from "@/components/shared/live/live-hub";
import type { SaveState } from "@/components/shared/saver";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";
import { MenuButton } from "@/components/ui/menu-button";
import { Notice } from "@/components/ui/notice";
import { Toolbar } from "@/components/ui/page-part";
import { SearchBox } from "@/components/ui/search-box";
import { type DotLook, StateDot } from "@/components/ui/state";
import { ChoiceTabs } from "@/components/ui/tabs";
import { BOARD_FILTERS, type BoardFilter, type SharedList } from "@/features/quotes/board-view";
import type { BoardInstrument } from "@/features/quotes/types";
import { type BoardChoice, LONGEST_SEARCH } from "@/features/quotes/url";
import type { ViewPanelProps } from "@/features/quotes/view-panel";
import { LIST_LIMITS, type QuoteList } from "@/lib/access/quote-list";

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
            {LABELS[which]} <Figure className="ml-0.5 text-xs11 text-faint">{count(which)}</Figure>
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

interface BoardSearchProps {
  search: string;
  onSearch: (search: string) => void;
  /** Called for Enter and arrow down; moves the focus to the first row. */
  onEnter: () => void;
}

/** The search field of the board. The key "/" moves the focus to it. */
function BoardSearch({ search, onSearch, onEnter }: BoardSearchProps) {
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

interface Look {
  readonly label: string;
  readonly meaning: string;
  readonly dot: DotLook;
  readonly className: string;
}

const TROUBLED = "border-warn text-warn";

const LOOKS: Readonly<Record<ConnectionState, Look>> = {
  connecting: {
    label: "Connecting",
    meaning: "Opening the price stream",
    dot: "off",
    className: "border-line text-dim",
  },
  // Not "live", which is a state of quotes; these may be simulated.
  live: { label: "Streaming", meaning: "Prices arrive as they change", dot: "good", className: "border-line text-ink" },
  reconnecting: {
    label: "Reconnecting",
    meaning: "The stream was lost and is being opened again",
    dot: "waiting",
    className: TROUBLED,
  },
  polling: {
    label: "Polling",
    meaning: "There is no stream now; prices update every 2 seconds",
    dot: "waiting",
    className: TROUBLED,
  },
  offline: {
    label: "Offline",
    meaning: "The server cannot be reached; these prices no longer update",
    dot: "failed",
    className: "border-down text-down",
  },
};

/** The state of the connection. A status region, so that screen readers announce changes. */
export function ConnectionBadge({ state }: { state: ConnectionState }) {
  const { label, meaning, dot, className } = LOOKS[state];
  return (
    <span
      role="status"
      title={meaning}
      className={`inline-flex h-6 items-center gap-1.5 rounded-sm border px-2 text-xs12 whitespace-nowrap ${className}`}
    >
      <StateDot look={dot} />
      {label}
      <span className="sr-only">. {meaning}.</span>
    </span>
  );
}

interface NothingShownProps {
  choice: Pick<BoardChoice, "search" | "filter">;
  list: QuoteList | null;
  onShowAll: () => void;
}

/** Says why there are no rows, and what to do. */
export function NothingShown({ choice: { search, filter }, list, onShowAll }: NothingShownProps) {
  const searching = search.trim() !== "";
  const isEmpty = !searching && list !== null && list.symbols.length === 0;
  return (
    <EmptyState
      art="search"
      title={
        searching
          ? `Nothing matches “${search.trim()}”`
          : isEmpty
            ? `No symbols in ${list.name} yet`
            : "No symbols of this category"
      }
      action={<Button onClick={onShowAll}>Show all symbols</Button>}
    >
      {searching
        ? filter === "all" && list === null
          ? "Search by symbol, by name or by a broker’s spelling: “eur”, “gold”, “dollar yen”, “DAX”."
          : "It may be in another category or list."
        : isEmpty
          ? "Star symbols among all symbols, or edit the list to paste some. Lists are kept with your account."
          : `${list?.name ?? "The list"} has symbols of other categories.`}
    </EmptyState>
  );
}

/** Most visits change nothing. */
const ViewPanel = dynamic(() => import("@/features/quotes/view-panel").then((module) => module.ViewPanel));

/** Chooses the columns, the height of the rows, and the order, which on a phone has few headings. */
export function ViewMenu({ choice, onChange }: ViewPanelProps) {
  return (
    <MenuButton panelClassName="w-72" panel={() => <ViewPanel choice={choice} onChange={onChange} />}>
      <SlidersHorizontal aria-hidden size={14} strokeWidth={1.75} className="text-faint" />
      View
    </MenuButton>
  );
}

interface BoardNoticesProps {
  /** Why there is no stream; null if there is nothing to say. */
  note: string | null;
  isOffline: boolean;
  shared: SharedList | null;
  lists: readonly QuoteList[];
  saveState: SaveState;
  onSave: (shared: SharedList) => void;
  onLeave: () => void;
}

/** Says that prices do not update, why a list is not saved, and that a list is somebody else's. */
export function BoardNotices({ note, isOffline, shared, lists, saveState, onSave, onLeave }: BoardNoticesProps) {
  const isFull = lists.length >= LIST_LIMITS.lists;
  return (
    <>
      {note !== null && (
        <div role="status">
          <Line tone="note">{note}</Line>
        </div>
      )}
      {isOffline && (
        <Line tone="error">These prices no longer update: the server cannot be reached. Trying again.</Line>
      )}
      {saveState.kind === "failed" && <Line tone="error">{saveState.reason}</Line>}
      {shared !== null && (
        <Line tone="note">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span>
              A shared list: <strong>{shared.name}</strong>, {shared.symbols.length}{" "}
              {shared.symbols.length === 1 ? "symbol" : "symbols"}.
            </span>
            <Button size="sm" disabled={isFull} onClick={() => onSave(shared)}>
              {isFull ? `You have ${LIST_LIMITS.lists} lists, the most` : "Save to my lists"}
            </Button>
            <Button size="sm" look="quiet" onClick={onLeave}>
              Show all symbols
            </Button>
          </div>
        </Line>
      )}
    </>
  );
}

function Line({ tone, children }: { tone: "note" | "error"; children: ReactNode }) {
  return (
    <div className="px-4 pb-3 max-md:px-3">
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
