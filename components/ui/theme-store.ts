"use client";

import { useSyncExternalStore } from "react";
import { storeCookie } from "@/components/ui/cookie";
import { isPalette, isTheme, type Palette, PALETTE_COOKIE, type Theme, THEME_COOKIE } from "@/components/ui/theme";

/** The look of the page: attributes of its root, and cookies with which the server renders the next visit. */

type Attribute = "theme" | "palette";

const listeners = new Set<() => void>();

function choose(attribute: Attribute, cookie: string, value: string): void {
  document.documentElement.dataset[attribute] = value;
  storeCookie(cookie, value);
  for (const listener of listeners) listener();
}

export const chooseTheme = (theme: Theme): void => choose("theme", THEME_COOKIE, theme);
export const choosePalette = (palette: Palette): void => choose("palette", PALETTE_COOKIE, palette);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function useAttribute(attribute: Attribute, initial: string): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset[attribute],
    () => initial,
  );
}

/** The theme of the page. `initial` is the server's. */
export function useTheme(initial: Theme): Theme {
  const theme = useAttribute("theme", initial);
  return isTheme(theme) ? theme : initial;
}

/** The colours of prices on the page. `initial` is the server's. */
export function usePalette(initial: Palette): Palette {
  const palette = useAttribute("palette", initial);
  return isPalette(palette) ? palette : initial;
}
