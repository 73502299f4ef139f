"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { useDraftName } from "@/features/forms/use-draft";
import { dropLists, keepLists, takeLists } from "@/features/quotes/lists/kept-lists";
import { addSymbols, mergeLists } from "@/features/quotes/lists/list-changes";
import { createListSaver, type SaveState } from "@/features/quotes/lists/list-saver";
import { forgetStars, readStars } from "@/features/quotes/lists/old-stars";
import type { BoardInstrument, SavedLists } from "@/features/quotes/types";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

export type ChangeLists = (change: (lists: readonly QuoteList[]) => readonly QuoteList[]) => void;

/**
 * The account's lists. A change is shown at once and saved a moment later. One that meets the end of the session is kept
 * in this tab until its owner has signed in again.
 */
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
  const router = useRouter();
  const draft = useDraftName("lists");

  useEffect(() => {
    const created = createListSaver(initial, {
      onLists: setLists,
      onState(state) {
        setSaveState(state);
        if (state.kind === "saved") dropLists(draft);
      },
      onSignedOut(unsaved) {
        keepLists(draft, unsaved);
        // The page checks the session itself and redirects to sign in.
        router.refresh();
      },
    });
    saver.current = created;
    const kept = takeLists(draft);
    if (kept !== null) created.change((before) => mergeLists(before, kept));
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
  }, [initial, instruments, router, draft]);

  const change = useCallback<ChangeLists>((next) => saver.current?.change(next), []);
  return { lists, change, saveState };
}
