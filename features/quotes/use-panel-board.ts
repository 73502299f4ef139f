"use client";

import { useQuery } from "@tanstack/react-query";
import { useShownAt } from "@/components/ui/past";
import { isStillPast, withAt } from "@/components/ui/past-address";
import type { BoardUpdate, ListedInstruments } from "@/features/quotes/types";
import type { QuoteList } from "@/lib/access/quote-list";

/** What a panel with a board loads. */
export interface PanelBoard {
  readonly listed: ListedInstruments;
  readonly board: BoardUpdate;
  readonly lists: readonly QuoteList[];
}

/** Loads what panels with a board show at first, once for all of them. */
export function usePanelBoard() {
  const at = useShownAt();
  return useQuery<PanelBoard, Error>({
    queryKey: ["panel board", at],
    async queryFn({ signal }) {
      const answer = await fetch(withAt("/quotes/board", at), { signal, cache: "no-store" });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as PanelBoard;
    },
    placeholderData: (before, former) =>
      isStillPast(former?.queryKey[1] as string | null | undefined, at) ? before : undefined,
    retry: true,
    retryDelay: 3_000,
    staleTime: Infinity,
    gcTime: 0,
    networkMode: "always",
  });
}
