"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { addSymbols } from "@/features/quotes/lists/list-changes";
import { createListSaver, type SaveState } from "@/features/quotes/lists/list-saver";
import { forgetStars, readStars } from "@/features/quotes/lists/old-stars";
import type { BoardInstrument, SavedLists } from "@/features/quotes/types";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

export type ChangeLists = (change: (lists: readonly QuoteList[]) => readonly QuoteList[]) => void;

/** The account's lists. A change is shown at once and saved a moment later. */
export function useLists(
  initial: SavedLists,
  instruments: readonly BoardInstrument[],
): {
  readonly lists: readonly QuoteList[];
  readonly change: ChangeLists;
  readonly saveState: SaveState;
} {
  const [lists, setLists] = useState(initial.lists);
  const [saveState, setSaveState] = useState<SaveState>({ kind: "saved" });
  const saver = useRef<ReturnType<typeof createListSaver>>(null);

  useEffect(() => {
    const created = createListSaver(initial, { onLists: setLists, onState: setSaveState });
    saver.current = created;
    const stars = readStars(instruments);
    if (stars.length > 0) {
      created.change((before) => addSymbols(before, DEFAULT_LIST.slug, stars));
      void created.flush().then((isSaved) => isSaved && forgetStars());
    }
    const onVisibility = () => (document.hidden ? created.flush() : created.refresh());
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      void created.flush();
    };
  }, [initial, instruments]);

  const change = useCallback<ChangeLists>((next) => saver.current?.change(next), []);
  return { lists, change, saveState };
}
