import { Search } from "lucide-react";
import type { KeyboardEvent } from "react";

interface PaletteFieldProps {
  listId: string;
  activeId: string | undefined;
  search: string;
  onSearch: (search: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onClose: () => void;
}

/** The field of the palette, and the button that closes it. */
export function PaletteField({ listId, activeId, search, onSearch, onKeyDown, onClose }: PaletteFieldProps) {
  return (
    <div className="flex items-center gap-3 border-b border-line px-4">
      <Search aria-hidden size={16} strokeWidth={1.75} className="flex-none text-faint" />
      <input
        autoFocus
        role="combobox"
        aria-label="Search symbols, pages and actions"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        placeholder="Symbol, page or action"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-12 w-full bg-transparent text-base outline-none placeholder:text-faint"
      />
      <button
        type="button"
        onClick={onClose}
        className="flex-none rounded-sm border border-line px-1.5 text-2xs text-faint hover:text-ink max-md:px-2.5 max-md:py-2"
      >
        Esc<span className="sr-only">: close</span>
      </button>
    </div>
  );
}
