"use client";

import { useSyncExternalStore } from "react";
import { createBrowserStore } from "@/components/shared/browser-store";
import type { News } from "@/features/alerts/types";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** What this browser remembers of alerts. Times are UTC milliseconds of the server. */
export interface WatchState {
  /** Whether notifications of the browser are wanted. */
  readonly isOn: boolean;
  readonly hasSound: boolean;
  /** Firings up to this time were seen on the page of alerts. */
  readonly seenMs: number;
  /** The times of the firings whose notice was closed, and of those that were notified, by id. */
  readonly closed: Readonly<Record<string, number>>;
  readonly given: Readonly<Record<string, number>>;
}

type NewFiring = News["firings"][number];

export const EMPTY_WATCH: WatchState = { isOn: false, hasSound: false, seenMs: 0, closed: {}, given: {} };

/** How long a notice stays on the page, and how late a notification may be. */
const SHOWN_MS = 10 * MINUTE_MS;

/** Reads a stored state, which may be of another version or changed by hand. */
export function parseWatch(text: string | null): WatchState {
  try {
    const { isOn, hasSound, seenMs, closed, given } = JSON.parse(text ?? "{}") as Record<string, unknown>;
    return {
      isOn: isOn === true,
      hasSound: hasSound === true,
      seenMs: typeof seenMs === "number" ? seenMs : 0,
      closed: readTimes(closed),
      given: readTimes(given),
    };
  } catch {
    return EMPTY_WATCH;
  }
}

function readTimes(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

/** Removes the firings that are no news any more. */
export function tidyWatch(state: WatchState, nowMs: number): WatchState {
  const keep = (times: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(times).filter(([, atMs]) => atMs > nowMs - 2 * DAY_MS));
  return { ...state, closed: keep(state.closed), given: keep(state.given) };
}

/** Adds firings to those that are known, newest first, and drops those of the day before. */
export function mergeFirings(known: readonly NewFiring[], { nowMs, firings }: News): readonly NewFiring[] {
  const byId = new Map([...known, ...firings].map((firing) => [firing.id, firing]));
  return [...byId.values()].filter(({ atMs }) => atMs > nowMs - DAY_MS).sort((a, b) => b.atMs - a.atMs);
}

/** The firings that were neither seen on the page of alerts nor closed. */
export function findUnseen(firings: readonly NewFiring[], { seenMs, closed }: WatchState): readonly NewFiring[] {
  return firings.filter(({ id, atMs }) => atMs > seenMs && !(id in closed));
}

/** The unseen firings of the last minutes, which every page shows. */
export function findShown(firings: readonly NewFiring[], state: WatchState, nowMs: number): readonly NewFiring[] {
  return findUnseen(firings, state).filter(({ atMs }) => atMs > nowMs - SHOWN_MS);
}

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
