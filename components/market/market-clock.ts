"use client";

import { createContext, useContext, useSyncExternalStore } from "react";
import { ageText } from "@/components/market/age-text";

/**
 * The market's time in the browser: the server's latest word carried on by the browser's own clock. One ticker serves
 * every age on the page, and an age is drawn again only when its text is another one.
 */
export interface MarketClock {
  /** UTC milliseconds of the market, now. */
  now(): number;
  /** Takes the market's time from the server. */
  set(nowMs: number): void;
  subscribe(listener: () => void): () => void;
  /** The time at the last tick of the second. */
  ticked(): number;
  readonly initialMs: number;
}

export function createMarketClock(initialMs: number): MarketClock {
  let offsetMs = initialMs - Date.now();
  let tickedMs = initialMs;
  let timer: ReturnType<typeof setInterval> | undefined;
  const listeners = new Set<() => void>();
  const now = (): number => Date.now() + offsetMs;

  function tick(): void {
    tickedMs = now();
    for (const listener of listeners) listener();
  }

  return {
    now,
    set(nowMs) {
      offsetMs = nowMs - Date.now();
    },
    subscribe(listener) {
      listeners.add(listener);
      timer ??= setInterval(tick, 1_000);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    ticked: () => tickedMs,
    initialMs,
  };
}

const ClockContext = createContext<MarketClock | null>(null);
export const MarketClockProvider = ClockContext.Provider;

function useMarketClock(): MarketClock {
  const clock = useContext(ClockContext);
  if (clock === null) throw new Error("An age needs a MarketClockProvider above it");
  return clock;
}

/** How old a price made at `timeMs` is, in words. */
export function useAge(timeMs: number): string {
  const clock = useMarketClock();
  return useSyncExternalStore(
    clock.subscribe,
    // A price newer than the last tick is brand new, not of negative age.
    () => ageText(clock.ticked() - timeMs),
    () => ageText(clock.initialMs - timeMs),
  );
}
