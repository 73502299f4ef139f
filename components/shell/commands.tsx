"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import type { Audience } from "@/components/shell/pages";
import {
  areSingleKeysOn,
  findSymbol,
  getCommandDialog,
  readStroke,
  showCommandDialog,
  subscribeToCommands,
  withSymbol,
} from "@/components/shell/shortcuts";
import { keepAt } from "@/components/ui/past-address";

const Palette = dynamic(() => import("@/components/shell/palette"), { ssr: false });
const ShortcutHelp = dynamic(() => import("@/components/shell/shortcut-help"), { ssr: false });

/** The keyboard shortcuts of every page, and the dialogs that they open. The dialogs load on first use. */
export function Commands({ audience }: { audience: Audience }) {
  const shown = useSyncExternalStore(subscribeToCommands, getCommandDialog, () => null);
  const symbol = findSymbol(usePathname(), useSearchParams());
  const router = useRouter();
  useEffect(() => {
    let gPressedAt = -Infinity;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.repeat || event.defaultPrevented || event.isComposing || ["Shift", "Control"].includes(event.key))
        return;
      const isSecond = performance.now() - gPressedAt < SEQUENCE_MS;
      gPressedAt = -Infinity;
      const stroke = readStroke(toPressed(event), isSecond, areSingleKeysOn());
      if (stroke === null) return;
      // Pages have keys of their own, such as K on the board.
      event.preventDefault();
      event.stopPropagation();
      if ("go" in stroke) router.push(keepAt(withSymbol(stroke.go, readSymbol())));
      else if (stroke.do === "wait") gPressedAt = performance.now();
      else showCommandDialog(stroke.do);
    }
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, [router]);
  const close = () => showCommandDialog(null);
  if (shown === "palette") return <Palette audience={audience} symbol={symbol} onClose={close} />;
  return shown === "help" && <ShortcutHelp audience={audience} onClose={close} />;
}

/** Reads the address itself, which changes before components do. */
const readSymbol = () => findSymbol(location.pathname, new URLSearchParams(location.search));

/** A dialog has keys of its own, so it counts as a place where text is typed. */
const TYPING = "input, textarea, select, [contenteditable], dialog";

function toPressed(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    hasCommand: event.ctrlKey || event.metaKey,
    hasAlt: event.altKey,
    isTyping: target?.closest(TYPING) != null && !isButtonLike(target),
  };
}

/** Radio buttons and check boxes take no letters. */
function isButtonLike(target: Element): boolean {
  return target instanceof HTMLInputElement && ["radio", "checkbox"].includes(target.type) && !target.closest("dialog");
}

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
      <kbd aria-hidden translate="no" className="ml-auto font-mono text-2xs">
        Ctrl K
      </kbd>
    </button>
  );
}

/** How long the second key may take. */
const SEQUENCE_MS = 1_500;
