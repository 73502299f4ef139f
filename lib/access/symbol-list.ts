import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { CATEGORIES, type Category } from "@/lib/market/instrument";

/**
 * The symbols that a key may read: names of categories ("forex") and single symbols ("XAUUSD"). The case tells them
 * apart. A key without restrictions has null, not an empty list.
 */
export interface SymbolList {
  /** As stored. */
  readonly names: readonly string[];
  /** Whether it has this canonical symbol. */
  has(symbol: string): boolean;
}

export function isCategory(name: string): name is Category {
  return CATEGORIES.some((category) => category === name);
}

/** Prepares a list for the hot path. An unknown name admits nothing until the catalog has its symbol. */
export function createSymbolList(names: readonly string[]): SymbolList {
  const listed = new Set(names);
  return {
    names,
    has(symbol) {
      const instrument = instrumentBySymbol.get(symbol);
      return instrument !== undefined && (listed.has(symbol) || listed.has(instrument.category));
    },
  };
}

/**
 * Normalises names of categories and spellings of symbols: categories first, then symbols, each once. Symbols of a listed
 * category are left out. `unknown` has the names that are neither.
 */
export function parseSymbolNames(given: readonly string[]): { names: string[]; unknown: string[] } {
  const categories = CATEGORIES.filter((category) => given.some((name) => name.toLowerCase() === category));
  const symbols = new Set<string>();
  const unknown: string[] = [];
  for (const name of given) {
    if (isCategory(name.toLowerCase())) continue;
    const instrument = catalogResolver.find(name);
    if (instrument === undefined) unknown.push(name);
    else if (!categories.includes(instrument.category)) symbols.add(instrument.symbol);
  }
  return { names: [...categories, ...symbols], unknown };
}

/** Whether the names in `before` admit every symbol that `name` admits, now and later. */
export function coversName(before: readonly string[], name: string): boolean {
  const category = instrumentBySymbol.get(name)?.category;
  return before.includes(name) || (category !== undefined && before.includes(category));
}
