"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { formatAge } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The market's time in the browser: the server's latest time, advanced by the browser's clock. One timer updates every
 * age on the page, and an age renders again only when its text changes.
 */
export interface MarketClock {
  /** UTC milliseconds of the market, now. */
  now(): number;
  /** Sets the market's time, in UTC milliseconds from the server. */
  set(nowMs: number): void;
  subscribe(listener: () => void): () => void;
  /** The time at the last tick of the second. */
  ticked(): number;
  readonly initialMs: number;
}

function createMarketClock(initialMs: number): MarketClock {
  let offsetMs = initialMs - Date.now();
  let tickedMs = initialMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const now = (): number => Date.now() + offsetMs;

  // Aligned to whole seconds, so that two clocks side by side change together.
  function wait(): void {
    timer = setTimeout(tick, SECOND_MS - (now() % SECOND_MS));
  }

  function tick(): void {
    tickedMs = now();
    for (const listener of listeners) listener();
    if (listeners.size > 0) wait();
  }

  return {
    now,
    set(nowMs) {
      offsetMs = nowMs - Date.now();
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) wait();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },
    ticked: () => tickedMs,
    initialMs,
  };
}

const ClockContext = createContext<MarketClock | null>(null);

/** Provides one clock, which starts at the server's market time. */
export function MarketTime({ initialMs, children }: { initialMs: number; children: ReactNode }) {
  const [clock] = useState(() => createMarketClock(initialMs));
  return <ClockContext value={clock}>{children}</ClockContext>;
}

export function useMarketClock(): MarketClock {
  const clock = useContext(ClockContext);
  if (clock === null) throw new Error("The market's time needs a MarketTime above it");
  return clock;
}

/** Returns `read` of the market's time, once a second. */
export function useMarketTime<Value extends string | number>(read: (nowMs: number) => Value): Value {
  const clock = useMarketClock();
  return useSyncExternalStore(
    clock.subscribe,
    () => read(clock.ticked()),
    () => read(clock.initialMs),
  );
}

/** Returns the age of a price of `timeMs` as text. */
export function useAge(timeMs: number): string {
  // A price newer than the last tick is brand new, not of negative age.
  return useMarketTime((nowMs) => formatAge(nowMs - timeMs));
}
