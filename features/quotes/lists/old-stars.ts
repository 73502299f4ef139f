import { instrumentBySymbol } from "@/lib/market/catalog";

/** Stars that an earlier version stored in this browser. They become the account's list "Starred". */
const STORAGE_KEY = "spotline-stars";

export function readStars(): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    const symbols = Array.isArray(saved) ? saved.filter((symbol): symbol is string => typeof symbol === "string") : [];
    return symbols.filter((symbol) => instrumentBySymbol.has(symbol));
  } catch {
    // Storage may be disabled or have other data.
    return [];
  }
}

export function forgetStars(): void {
  localStorage.removeItem(STORAGE_KEY);
}
