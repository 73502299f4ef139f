"use client";

import { useSyncExternalStore } from "react";

/** A value in this browser's storage, the same in all of its tabs. */
export interface BrowserStore<Value> {
  read(): Value;
  /** Returns whether the new value could be stored. */
  change(change: (value: Value) => Value): boolean;
  /** The value in a component; that of an empty storage while the server renders. */
  use(): Value;
}

interface Options<Value> {
  /** The name in the storage. */
  readonly name: string;
  readonly empty: Value;
  /** Reads a stored text, which may be of another version; null if there is none. */
  readonly parse: (text: string | null) => Value;
  /** Removes what is too old to be stored. */
  readonly tidy: (value: Value, nowMs: number) => Value;
}

export function createBrowserStore<Value>({ name, empty, parse, tidy }: Options<Value>): BrowserStore<Value> {
  const listeners = new Set<() => void>();
  let last: { readonly text: string | null; readonly value: Value } = { text: null, value: empty };

  /** Storage may be switched off. It is empty then. */
  function readText(): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }

  function read(): Value {
    const text = readText();
    if (text !== last.text) last = { text, value: parse(text) };
    return last.value;
  }

  function subscribe(listener: () => void): () => void {
    const onStorage = ({ key }: StorageEvent) => key === name && listener();
    listeners.add(listener);
    addEventListener("storage", onStorage);
    return () => {
      listeners.delete(listener);
      removeEventListener("storage", onStorage);
    };
  }

  return {
    read,
    change(change) {
      try {
        localStorage.setItem(name, JSON.stringify(tidy(change(read()), Date.now())));
      } catch {
        return false;
      }
      for (const listener of listeners) listener();
      return true;
    },
    use: () => useSyncExternalStore(subscribe, read, () => empty),
  };
}
