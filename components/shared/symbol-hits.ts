"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import type { Category, Instrument } from "@/lib/market/instrument";

export type SymbolHit = Pick<Instrument, "symbol" | "name" | "category">;

/** What the server finds for a text. */
export interface SymbolHits {
  /** A few, the closest first; for an empty text some of each category. */
  readonly hits: readonly SymbolHit[];
  /** How many it has found of each category that has any. */
  readonly counts: Readonly<Partial<Record<Category, number>>>;
}

/** Keys in quick succession are one search. */
const SETTLE_MS = 80;
/** So long a found list is shown again before the server is asked once more: the catalog grows. */
const FRESH_MS = 10_000;

/**
 * Searches the catalog on the server, which has thousands of symbols. `isCurrent` is false while `data` is that of an
 * earlier text. `find` searches at once, for a key that needs the answer; null if there is none.
 */
export function useSymbolHits(search: string, isNeeded: boolean) {
  const wanted = search.trim();
  const [text, setText] = useState(wanted);
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => setText(wanted), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const toQuery = (q: string) => ({
    queryKey: ["symbols", q],
    async queryFn({ signal }: { signal: AbortSignal }) {
      const answer = await fetch(`/symbols/search?${new URLSearchParams({ q })}`, { signal, cache: "no-store" });
      // The page checks the session itself and redirects to sign in.
      if (answer.status === 401) router.refresh();
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as SymbolHits;
    },
    staleTime: FRESH_MS,
    networkMode: "always" as const,
  });
  const { data, isPlaceholderData, failureCount } = useQuery<SymbolHits>({
    ...toQuery(text),
    enabled: isNeeded,
    placeholderData: keepPreviousData,
  });
  return {
    data,
    isCurrent: text === wanted && data !== undefined && !isPlaceholderData,
    isOffline: failureCount > 0,
    find: (q: string): Promise<SymbolHits | null> => client.fetchQuery(toQuery(q.trim())).catch(() => null),
  };
}

export function countHits({ counts }: Pick<SymbolHits, "counts">): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
