"use client";

import { useSyncExternalStore } from "react";

const STORAGE_KEY = "spotline-stars";
const none: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();
let stars: ReadonlySet<string> | undefined;

function readStars(): ReadonlySet<string> {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return new Set(Array.isArray(saved) ? saved.filter((symbol) => typeof symbol === "string") : []);
  } catch {
    // Storage may be disabled or have other data. The board then starts without stars.
    return none;
  }
}

export function toggleStar(symbol: string): void {
  const next = new Set(stars ?? readStars());
  if (!next.delete(symbol)) next.add(symbol);
  stars = next;
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...next]));
  } catch {
    // Without storage, stars last as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key !== STORAGE_KEY) return;
    stars = readStars();
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

/** The symbols starred in this browser. */
export function useStars(): ReadonlySet<string> {
  return useSyncExternalStore(
    subscribe,
    () => (stars ??= readStars()),
    () => none,
  );
}
