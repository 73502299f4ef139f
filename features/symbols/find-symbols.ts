import type { SymbolHit, SymbolHits } from "@/components/shared/symbol-hits";
import { CATEGORIES, type Category, type Instrument } from "@/lib/market/instrument";
import { searchInstruments } from "@/lib/market/symbol-search";
import type { Runtime } from "@/lib/runtime";

const MOST_HITS = 20;
/** Shown of each category before anything is typed. */
const FIRST_OF_CATEGORY = 3;
/** As long as the longest spelling that a caller of the API may search for. */
const LONGEST_SEARCH = 64;

/** Finds symbols for what a visitor types, in any spelling; see SymbolHits. */
export function findSymbols(
  { instruments, resolver }: Pick<Runtime, "instruments" | "resolver">,
  typed: string,
): SymbolHits {
  const search = typed.trim().slice(0, LONGEST_SEARCH);
  const found = search === "" ? instruments : searchInstruments(instruments, search, resolver);
  const counts: Partial<Record<Category, number>> = {};
  for (const { category } of found) counts[category] = (counts[category] ?? 0) + 1;
  const shown = search === "" ? listFirst(found) : found.slice(0, MOST_HITS);
  return { hits: shown.map(toHit), counts };
}

function listFirst(instruments: readonly Instrument[]): Instrument[] {
  return CATEGORIES.flatMap((category) =>
    instruments.filter((each) => each.category === category).slice(0, FIRST_OF_CATEGORY),
  );
}

function toHit({ symbol, name, category }: Instrument): SymbolHit {
  return { symbol, name, category };
}
