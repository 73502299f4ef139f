"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { SearchBox } from "@/components/ui/search-box";
import { LONGEST_SEARCH } from "@/features/quotes/url";

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** The classes of the element at the end of the search field. */
const END_CLASS = "absolute top-1.5 right-1.5 grid place-items-center rounded-sm";

export interface BoardSearchProps {
  search: string;
  onSearch: (search: string) => void;
  /** Called for Enter and arrow down; moves the focus to the first row. */
  onEnter: () => void;
}

/** The search field of the board. The key "/" moves the focus to it. */
export function BoardSearch({ search, onSearch, onEnter }: BoardSearchProps) {
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
