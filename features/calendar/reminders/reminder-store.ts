"use client";

import { useSyncExternalStore } from "react";
import { dropOld, NO_REMINDERS, parseReminders, type Reminders } from "@/features/calendar/reminders/reminders";

/** The reminders in this browser's storage, the same in all of its tabs. */

const NAME = "spotline-reminders";
const listeners = new Set<() => void>();
let read: { readonly text: string | null; readonly reminders: Reminders } = { text: null, reminders: NO_REMINDERS };

export function readReminders(): Reminders {
  const text = readText();
  if (text !== read.text) read = { text, reminders: parseReminders(text) };
  return read.reminders;
}

/** Storage may be switched off. There are no reminders then. */
function readText(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/** Changes the stored reminders. Returns whether they could be stored. */
export function changeReminders(change: (reminders: Reminders) => Reminders): boolean {
  try {
    localStorage.setItem(NAME, JSON.stringify(dropOld(change(readReminders()), Date.now())));
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => key === NAME && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}

export function useReminders(): Reminders {
  return useSyncExternalStore(subscribe, readReminders, () => NO_REMINDERS);
}
