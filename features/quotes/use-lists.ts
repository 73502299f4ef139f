"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { createSaver, type SaveAnswer, type Saved, type SaveState } from "@/components/shared/saver";
import { attempt, dropDraft, saveDraft, takeDraft, useDraftName } from "@/features/forms/use-draft";
import { addSymbols, mergeLists } from "@/features/quotes/list-changes";
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
    const onVisibility = () => void (document.hidden ? created.flush() : created.refresh());
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      void created.flush();
    };
  }, [initial, instruments, router, draft]);

  const change = useCallback<ChangeLists>((next) => saver.current?.change(next), []);
  return { lists, change, saveState };
}

type Lists = readonly QuoteList[];

interface Listeners {
  onLists(lists: Lists): void;
  onState(state: SaveState): void;
  /** Called with the lists that the server did not take because the session has ended. */
  onSignedOut(lists: Lists): void;
}

/** Changes in quick succession are saved together. */
const DELAY_MS = 800;

/**
 * Saves changes of the lists. If another browser has changed them meanwhile, the changes are made again to its lists.
 */
export function createListSaver(initial: SavedLists, { onLists, onState, onSignedOut }: Listeners, send = sendLists) {
  const toSaved = ({ revision, lists }: SavedLists): Saved<Lists> => ({ revision, value: lists });
  return createSaver<Lists>(toSaved(initial), {
    delayMs: DELAY_MS,
    async send({ revision, value }) {
      const answer = await send({ revision, lists: value });
      return "error" in answer ? answer : { ...toSaved(answer), isSaved: answer.isSaved };
    },
    async read() {
      const answer = await readLists();
      return answer && toSaved(answer);
    },
    onValue: onLists,
    onState,
    onSignedOut,
  });
}

type SendAnswer = (SavedLists & { readonly isSaved: boolean }) | Extract<SaveAnswer<Lists>, { error: string }>;

async function sendLists(body: SavedLists): Promise<SendAnswer> {
  try {
    const answer = await fetch("/quotes/lists", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      // Also sent while the page is being left.
      keepalive: true,
    });
    const content = (await answer.json()) as { error?: string };
    if (answer.ok || answer.status === 409) return content as SavedLists & { isSaved: boolean };
    const error = content.error ?? "The lists could not be saved.";
    return { error, isFinal: answer.status === 400 || answer.status === 413, isSignedOut: answer.status === 401 };
  } catch {
    return { error: "The server cannot be reached. The lists are saved once it answers.", isFinal: false };
  }
}

async function readLists(): Promise<SavedLists | null> {
  try {
    const answer = await fetch("/quotes/lists", { cache: "no-store" });
    return answer.ok ? ((await answer.json()) as SavedLists) : null;
  } catch {
    return null;
  }
}

/** Lists that could not be saved because the session has ended. They are a draft of the board. */

function keepLists(draft: string, lists: readonly QuoteList[]): void {
  attempt(() => saveDraft(sessionStorage, draft, { lists: [JSON.stringify(lists)] }));
}

/** Removes and returns the kept lists; null without any. */
function takeLists(draft: string): readonly QuoteList[] | null {
  const text = attempt(() => takeDraft(sessionStorage, draft))?.lists?.[0];
  return text === undefined ? null : (JSON.parse(text) as QuoteList[]);
}

function dropLists(draft: string): void {
  attempt(() => dropDraft(sessionStorage, draft));
}

/** Stars that an earlier version stored in this browser. They become the account's list "Starred". */
const STORAGE_KEY = "spotline-stars";

function readStars(instruments: readonly Pick<BoardInstrument, "symbol">[]): string[] {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    const known = new Set<unknown>(instruments.map(({ symbol }) => symbol));
    return Array.isArray(saved) ? saved.filter((symbol): symbol is string => known.has(symbol)) : [];
  } catch {
    // Storage may be disabled or have other data.
    return [];
  }
}

function forgetStars(): void {
  localStorage.removeItem(STORAGE_KEY);
}
