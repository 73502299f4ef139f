"use client";

import { Search } from "lucide-react";
import { showCommandDialog } from "@/components/shell/commands/command-store";

/** Opens the palette: a field on the rail, an icon on a phone. */
export function SearchButton({ place }: { place: "rail" | "bar" }) {
  const open = () => showCommandDialog("palette");
  if (place === "bar") {
    return (
      <button
        type="button"
        onClick={open}
        aria-label="Search symbols and pages"
        className="grid size-10 place-items-center rounded-md text-dim hover:text-ink"
      >
        <Search aria-hidden size={18} strokeWidth={1.75} />
      </button>
    );
  }
  return (
    <button
      type="button"
      onClick={open}
      aria-keyshortcuts="Control+K Meta+K"
      className="mx-2 flex h-8 items-center gap-2 rounded-md border border-line px-2.5 text-xs13 text-faint hover:border-edge hover:text-ink"
    >
      <Search aria-hidden size={14} strokeWidth={1.75} />
      Search
      <kbd aria-hidden className="ml-auto font-mono text-2xs">
        Ctrl K
      </kbd>
    </button>
  );
}
