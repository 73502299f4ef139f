"use client";

import { pageGroups } from "@/components/shell/pages";

/** The pages by the key that follows G. */
export const GO_KEYS: ReadonlyMap<string, string> = new Map(
  pageGroups.flatMap(({ pages }) => pages.flatMap(({ goKey, href }) => (goKey === undefined ? [] : [[goKey, href]]))),
);

export type Stroke = { readonly do: "palette" | "help" | "past" | "wait" } | { readonly go: string } | null;

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
  if (key === "t") return { do: "past" };
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

/** Which of the dialogs of commands is open: one store for the keys, the buttons and the dialogs. */
export type CommandDialog = "palette" | "help" | "past" | null;

let shown: CommandDialog = null;
const listeners = new Set<() => void>();

export const getCommandDialog = (): CommandDialog => shown;

export function showCommandDialog(next: CommandDialog): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function subscribeToCommands(listener: () => void): () => void {
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
  "/data-quality": (symbol) => `/data-quality?symbol=${symbol}`,
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
