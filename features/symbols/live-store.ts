import { useSyncExternalStore } from "react";
import type { ConnectionState } from "@/components/shared/live/live-hub";
import type { LiveSymbol } from "@/features/symbols/types";

export interface LiveState {
  readonly live: LiveSymbol;
  readonly connection: ConnectionState;
}

/** What the stream brought last. Only the parts of the page that read it render again. */
export interface LiveStore {
  get(): LiveState;
  set(change: Partial<LiveState>): void;
  /** Calls the listener after every change. Returns a function that ends it. */
  subscribe(listener: () => void): () => void;
}

export function createLiveStore(initial: LiveSymbol): LiveStore {
  let state: LiveState = { live: initial, connection: "connecting" };
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(change) {
      const names = Object.keys(change) as (keyof LiveState)[];
      if (names.every((name) => state[name] === change[name])) return;
      state = { ...state, ...change };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useLive(store: LiveStore): LiveState {
  return useSyncExternalStore(store.subscribe, store.get, store.get);
}
