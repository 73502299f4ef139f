"use client";

import { Search } from "lucide-react";
import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { type Audience, pageGroups } from "@/components/shell/pages";

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
      if ("go" in stroke) router.push(withSymbol(stroke.go, readSymbol()));
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
      <kbd aria-hidden className="ml-auto font-mono text-2xs">
        Ctrl K
      </kbd>
    </button>
  );
}

/** How long the second key may take. */
const SEQUENCE_MS = 1_500;

/** The pages by the key that follows G. */
export const GO_KEYS: ReadonlyMap<string, string> = new Map(
  pageGroups.flatMap(({ pages }) => pages.flatMap(({ goKey, href }) => (goKey === undefined ? [] : [[goKey, href]]))),
);

export type Stroke = { readonly do: "palette" | "help" | "wait" } | { readonly go: string } | null;

interface Pressed {
  readonly key: string;
  readonly hasCommand: boolean;
  readonly hasAlt: boolean;
  /** Whether the focus is where text is typed. */
  readonly isTyping: boolean;
}

/**
 * What a key does. `isSecond`: it follows G. `areSingleOn`: whether keys without Ctrl or ⌘ are shortcuts, which a visitor
 * can switch off.
 */
export function readStroke(pressed: Pressed, isSecond: boolean, areSingleOn: boolean): Stroke {
  const { key, hasCommand, hasAlt, isTyping } = pressed;
  if (isTyping || hasAlt) return null;
  if (hasCommand) return key.toLowerCase() === "k" ? { do: "palette" } : null;
  if (!areSingleOn) return null;
  if (isSecond) {
    const href = GO_KEYS.get(key.toLowerCase());
    return href === undefined ? null : { go: href };
  }
  if (key === "?") return { do: "help" };
  return key === "g" ? { do: "wait" } : null;
}

const SWITCH = "spotline-single-keys";

/** Whether single keys are shortcuts in this browser. */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true;
  }
}

export function switchSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SWITCH);
    else localStorage.setItem(SWITCH, "off");
  } catch {
    // Without storage the choice lasts until the page closes.
  }
}

/** Which of the two dialogs of commands is open: one store for the keys, the buttons and the dialogs. */
export type CommandDialog = "palette" | "help" | null;

let shown: CommandDialog = null;
const listeners = new Set<() => void>();

const getCommandDialog = (): CommandDialog => shown;

export function showCommandDialog(next: CommandDialog): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The parameters of addresses that name the symbol of a page. */
const PARAMETERS = ["symbol", "symbols", "open"];
const SYMBOL = /^[A-Z0-9]{2,12}$/;

/** Finds the symbol that a page is about by its address; null if it is about none. */
export function findSymbol(path: string, search: { get(name: string): string | null }): string | null {
  const [, room, segment] = path.split("/");
  const inQuery = PARAMETERS.map((name) => search.get(name)?.split(",")[0]);
  const named = [room === "symbols" ? segment : undefined, ...inQuery];
  return named.find((symbol) => symbol !== undefined && SYMBOL.test(symbol)) ?? null;
}

const SYMBOL_PAGES: Readonly<Record<string, (symbol: string) => string>> = {
  "/spreads": (symbol) => `/spreads?symbols=${symbol}`,
  "/symbols": (symbol) => `/symbols/${symbol}`,
  "/ticks": (symbol) => `/ticks?symbol=${symbol}`,
  "/alerts": (symbol) => `/alerts?symbol=${symbol}`,
  "/sessions": (symbol) => `/sessions?symbol=${symbol}`,
  // It shows the correlations of a currency, and passes the symbol on.
  "/strength": (symbol) => `/strength?timeframe=H4&of=${symbol.slice(0, 3)}&symbol=${symbol}`,
  "/indicators": (symbol) => `/indicators?symbol=${symbol}`,
};

/** The address of a page about a symbol, as far as the page can show one. */
export function withSymbol(href: string, symbol: string | null): string {
  return (symbol === null ? undefined : SYMBOL_PAGES[href]?.(symbol)) ?? href;
}
