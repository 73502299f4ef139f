"use client";

import { useEffect, useMemo, useState } from "react";
import { includesWords } from "@/features/quotes/board-view";
import type { createSearch } from "@/features/quotes/search";
import type { BoardInstrument } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";

export interface FirstSearch {
  /** The search in the page's address. */
  readonly search: string;
  /** The symbols that the server found with it. */
  readonly found: readonly string[];
}

/**
 * The instruments of a list in its order (all of them without one), those that match the search, and those of the
 * category.
 */
export function useFiltered(
  instruments: readonly BoardInstrument[],
  symbols: readonly string[] | null,
  { search, filter }: Pick<BoardChoice, "search" | "filter">,
  first: FirstSearch,
) {
  const create = useCreateSearch(search.trim() !== "");
  const listed = useMemo(() => {
    if (symbols === null) return instruments;
    const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
    return symbols.flatMap((symbol) => bySymbol.get(symbol) ?? []);
  }, [instruments, symbols]);
  const found = useMemo(() => {
    if (search.trim() === "") return listed;
    if (create !== null) return listed.filter(create(search));
    if (search === first.search) return listed.filter(({ symbol }) => first.found.includes(symbol));
    return listed.filter((instrument) => includesWords(instrument, search));
  }, [listed, search, create, first]);
  const filtered = useMemo(
    () => (filter === "all" ? found : found.filter(({ category }) => category === filter)),
    [found, filter],
  );
  return { listed, found, filtered };
}

/** Loads the catalogue with the other names of the symbols at the first search. Null until then. */
function useCreateSearch(isNeeded: boolean): typeof createSearch | null {
  const [create, setCreate] = useState<typeof createSearch | null>(null);
  useEffect(() => {
    if (!isNeeded || create !== null) return;
    // Without the catalogue, symbols are found by the words of their names.
    import("@/features/quotes/search").then((module) => setCreate(() => module.createSearch)).catch(() => {});
  }, [isNeeded, create]);
  return create;
}
