"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { createBrowserStore } from "@/components/shared/browser-store";
import type { Category, Instrument } from "@/lib/market/instrument";

export type SymbolHit = Pick<Instrument, "symbol" | "name" | "category">;

/** What the server finds for a text. */
export interface SymbolHits {
  /** A few, the closest first; for an empty text some of each category. */
  readonly hits: readonly SymbolHit[];
  /** How many it has found of each category that has any. */
  readonly counts: Readonly<Partial<Record<Category, number>>>;
}

/** The symbols that this browser's visitor has starred, and those that were opened last, the newest first. */
export interface OwnSymbols {
  readonly starred: readonly SymbolHit[];
  readonly recent: readonly SymbolHit[];
}

const NO_SYMBOLS: OwnSymbols = { starred: [], recent: [] };
const MOST_STARRED = 30;
const MOST_RECENT = 8;

/** Reads what a browser has stored; nothing in place of what is not of this form. */
export function parseOwnSymbols(text: string | null): OwnSymbols {
  try {
    const { starred, recent } = JSON.parse(text ?? "{}") as Partial<Record<keyof OwnSymbols, unknown>>;
    return { starred: readHits(starred), recent: readHits(recent) };
  } catch {
    return NO_SYMBOLS;
  }
}

function readHits(value: unknown): SymbolHit[] {
  return Array.isArray(value) ? value.filter(isHit) : [];
}

function isHit(value: unknown): value is SymbolHit {
  const { symbol, name, category } = (value ?? {}) as Partial<Record<keyof SymbolHit, unknown>>;
  return [symbol, name, category].every((text) => typeof text === "string");
}

const ownSymbols = createBrowserStore<OwnSymbols>({
  name: "spotline-symbols",
  empty: NO_SYMBOLS,
  parse: parseOwnSymbols,
  tidy: ({ starred, recent }) => ({ starred: starred.slice(0, MOST_STARRED), recent: recent.slice(0, MOST_RECENT) }),
});

export const useOwnSymbols = ownSymbols.use;

const without = (hits: readonly SymbolHit[], symbol: string) => hits.filter((each) => each.symbol !== symbol);

/** Notes that a symbol was opened. */
export function noteOpened({ symbol, name, category }: SymbolHit): void {
  if (ownSymbols.read().recent[0]?.symbol === symbol) return;
  ownSymbols.change((own) => ({ ...own, recent: [{ symbol, name, category }, ...without(own.recent, symbol)] }));
}

export function toggleStar({ symbol, name, category }: SymbolHit): void {
  ownSymbols.change((own) => {
    const others = without(own.starred, symbol);
    const isStarred = others.length < own.starred.length;
    return { ...own, starred: isStarred ? others : [{ symbol, name, category }, ...others] };
  });
}

/** Keys in quick succession are one search; the first after a pause is searched for at once. */
const SETTLE_MS = 80;
/** So long a found list is shown again before it is requested again: the catalog grows. */
const FRESH_MS = 10_000;

/**
 * Searches the catalog on the server, which has thousands of symbols. `isCurrent` is false while `data` is that of an
 * earlier text. `find` searches at once, for a key that needs the answer; null if there is none.
 */
export function useSymbolHits(search: string, isNeeded: boolean) {
  const wanted = search.trim();
  const [text, setText] = useState(wanted);
  const typedAtMs = useRef(-Infinity);
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const nowMs = performance.now();
    const timer = setTimeout(() => setText(wanted), nowMs - typedAtMs.current > SETTLE_MS ? 0 : SETTLE_MS);
    typedAtMs.current = nowMs;
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
