"use client";

import { useCallback, useSyncExternalStore } from "react";

/** A value for each symbol. A component renders again only when the value of its own symbol changes. */
export interface SymbolStore<Value> {
  get(symbol: string): Value | undefined;
  set(symbol: string, value: Value): void;
  subscribe(symbol: string, listener: () => void): () => void;
}

export function createSymbolStore<Value>(): SymbolStore<Value> {
  const values = new Map<string, Value>();
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
      return () => void own.delete(listener);
    },
  };
}

/** The value of one symbol; undefined before it is known. */
export function useSymbolValue<Value>(store: SymbolStore<Value>, symbol: string): Value | undefined {
  const subscribe = useCallback((listener: () => void) => store.subscribe(symbol, listener), [store, symbol]);
  return useSyncExternalStore(
    subscribe,
    () => store.get(symbol),
    () => undefined,
  );
}
