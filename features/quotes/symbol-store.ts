"use client";

import { useCallback, useSyncExternalStore } from "react";

/** A value for each symbol. A component renders again only when the value of its own symbol changes. */
export interface SymbolStore<Value> {
  get(symbol: string): Value | undefined;
  set(symbol: string, value: Value): void;
  subscribe(symbol: string, listener: () => void): () => void;
  /** Whether a component shows the symbol's value now. */
  isWatched(symbol: string): boolean;
}

export function createSymbolStore<Value>(first: Iterable<readonly [string, Value]> = []): SymbolStore<Value> {
  const values = new Map(first);
  const listeners = new Map<string, Set<() => void>>();
  return {
    get: (symbol) => values.get(symbol),
    set(symbol, value) {
      values.set(symbol, value);
      for (const listener of listeners.get(symbol) ?? []) listener();
    },
    subscribe(symbol, listener) {
      const own = listeners.get(symbol) ?? new Set();
      listeners.set(symbol, own.add(listener));
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(symbol) === own) listeners.delete(symbol);
      };
    },
    isWatched: (symbol) => listeners.has(symbol),
  };
}

/** The value of one symbol; undefined before it is known. */
export function useSymbolValue<Value>(store: SymbolStore<Value>, symbol: string): Value | undefined {
  return useSymbolPart(store, symbol, (value) => value);
}

/** A part of the value of one symbol, which must be the same object or primitive while the part is the same. */
export function useSymbolPart<Value, Part>(
  store: SymbolStore<Value>,
  symbol: string,
  select: (value: Value | undefined) => Part,
): Part {
  const subscribe = useCallback((listener: () => void) => store.subscribe(symbol, listener), [store, symbol]);
  const read = () => select(store.get(symbol));
  return useSyncExternalStore(subscribe, read, read);
}
