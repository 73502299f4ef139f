"use client";

import { useSyncExternalStore } from "react";
import { createBrowserStore } from "@/components/shared/browser-store";
import type { News } from "@/features/alerts/types";
import { EMPTY_WATCH, mergeFirings, parseWatch, tidyWatch } from "@/features/alerts/watch/watch-state";

const store = createBrowserStore({ name: "spotline-alerts", empty: EMPTY_WATCH, parse: parseWatch, tidy: tidyWatch });

export const readWatch = store.read;
export const changeWatch = store.change;
export const useWatch = store.use;

/** Stores that firings up to a time were seen. */
export function markSeen(atMs: number): void {
  if (atMs > readWatch().seenMs) changeWatch((before) => ({ ...before, seenMs: atMs }));
}

const NO_NEWS: News = { nowMs: 0, firings: [] };
/** The news of this tab. Another account may sign in without a new page. */
let current = { accountId: "", news: NO_NEWS };
const listeners = new Set<() => void>();

export function addNews(accountId: string, added: News): void {
  const firings = mergeFirings(readNews(accountId).firings, added);
  current = { accountId, news: { nowMs: added.nowMs, firings } };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const readNews = (accountId: string): News => (current.accountId === accountId ? current.news : NO_NEWS);

export function useNews(accountId: string): News {
  return useSyncExternalStore(
    subscribe,
    () => readNews(accountId),
    () => NO_NEWS,
  );
}
