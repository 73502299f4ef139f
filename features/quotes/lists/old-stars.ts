import type { BoardInstrument } from "@/features/quotes/types";

/** Stars that an earlier version stored in this browser. They become the account's list "Starred". */
const STORAGE_KEY = "spotline-stars";

export function readStars(instruments: readonly Pick<BoardInstrument, "symbol">[]): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    const known = new Set<unknown>(instruments.map(({ symbol }) => symbol));
    return Array.isArray(saved) ? saved.filter((symbol): symbol is string => known.has(symbol)) : [];
  } catch {
    // Storage may be disabled or have other data.
    return [];
  }
}

export function forgetStars(): void {
  localStorage.removeItem(STORAGE_KEY);
}
