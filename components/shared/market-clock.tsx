"use client";

import { useRouter } from "next/navigation";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { ShownAt } from "@/components/ui/past";
import { toAt } from "@/components/ui/past-address";
import { formatAge } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The market's time in the browser: the server's latest time, advanced by the browser's clocks. One timer updates every
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

/** How far the two clocks of a browser may part before one of them counts as wrong. */
const STEP_MS = 2 * SECOND_MS;

/**
 * Creates a clock that starts at the market's time. A browser has two clocks: the one of its computer is set at times, and
 * the steady one rests while the computer is suspended. No price may look newer than it is, so the clock that has advanced more
 * counts. `onStep` is called when they part; the server's time shows then which was right.
 */
export function createMarketClock(initialMs: number, onStep: () => void): MarketClock {
  let from = readClocks(initialMs);
  let tickedMs = initialMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const now = (): number => from.marketMs + Math.max(...getPassed(from));

  // Aligned to whole seconds, so that two clocks side by side change together.
  function wait(): void {
    timer = setTimeout(tick, SECOND_MS - (now() % SECOND_MS));
  }

  function tick(): void {
    tickedMs = now();
    const [wallMs, steadyMs] = getPassed(from);
    if (Math.abs(wallMs - steadyMs) > STEP_MS) {
      from = readClocks(tickedMs);
      onStep();
    }
    for (const listener of listeners) listener();
    if (listeners.size > 0) wait();
  }

  return {
    now,
    set(nowMs) {
      from = readClocks(nowMs);
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

const readClocks = (marketMs: number) => ({ marketMs, wallMs: Date.now(), steadyMs: performance.now() });

/** How far the clock of the computer and the steady clock have advanced. */
function getPassed({ wallMs, steadyMs }: ReturnType<typeof readClocks>): readonly [number, number] {
  return [Date.now() - wallMs, performance.now() - steadyMs];
}

/** Creates a clock that stands at a second of the past until it is moved. Answers of other seconds do not move it. */
function createPastClock(initialMs: number): MarketClock & { move(atMs: number): void } {
  let atMs = initialMs;
  const listeners = new Set<() => void>();
  return {
    now: () => atMs,
    set() {},
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ticked: () => atMs,
    initialMs,
    move(toMs) {
      atMs = toMs;
      for (const listener of listeners) listener();
    },
  };
}

const ClockContext = createContext<MarketClock | null>(null);

interface MarketTimeProps {
  /** The server's market time, UTC milliseconds. */
  initialMs: number;
  /** Whether that is a second of the past, which the page shows. */
  isPast?: boolean;
  children: ReactNode;
}

/**
 * Provides the clock of a page with prices. Nothing of a page of the present stays on one of the past: all of it begins
 * anew.
 */
export function MarketTime({ initialMs, isPast = false, children }: MarketTimeProps) {
  if (isPast) return <PastTime atMs={initialMs}>{children}</PastTime>;
  return <PresentTime initialMs={initialMs}>{children}</PresentTime>;
}

/** Seconds only rise in a page: for an earlier one all of it begins anew, so that nothing later stays. */
function PastTime({ atMs, children }: { atMs: number; children: ReactNode }) {
  const [run, setRun] = useState({ number: 0, atMs });
  if (run.atMs !== atMs) setRun({ number: run.number + (atMs < run.atMs ? 1 : 0), atMs });
  return (
    <PastRun key={run.number} atMs={atMs}>
      {children}
    </PastRun>
  );
}

function PastRun({ atMs, children }: { atMs: number; children: ReactNode }) {
  const [clock] = useState(() => createPastClock(atMs));
  // Before the browser paints, so that clock and data are of one second.
  useLayoutEffect(() => clock.move(atMs), [clock, atMs]);
  return (
    <ShownAt value={toAt(atMs)}>
      <ClockContext value={clock}>{children}</ClockContext>
    </ShownAt>
  );
}

/** One clock, which starts at the server's market time. After a step, the page is rendered again with it. */
function PresentTime({ initialMs, children }: { initialMs: number; children: ReactNode }) {
  const router = useRouter();
  const [clock] = useState(() => createMarketClock(initialMs, () => router.refresh()));
  useEffect(() => clock.set(initialMs), [clock, initialMs]);
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

/** The age of a price of `timeMs`. */
export function Age({ timeMs }: { timeMs: number }): string {
  // A price newer than the last tick is brand new, not of negative age.
  return useMarketTime((nowMs) => formatAge(nowMs - timeMs));
}
