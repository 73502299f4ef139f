"use client";

import { createContext, useContext } from "react";
import type { WireRow } from "@/features/quotes/types";
import { MINUTE_MS } from "@/lib/time/units";

/** What the board has heard while it was open, for the charts of its rows. */

const SAMPLE_MS = 1_000;
const KEPT_MS = 5 * MINUTE_MS;
/** The server speaks at least every five seconds; after this much silence nobody knows what a price did. */
const SILENCE_MS = 12_000;

export interface PricePoint {
  /** The market's time, UTC milliseconds. */
  readonly timeMs: number;
  /** Both null where the page heard nothing: a line must not run on over it. */
  readonly bid: number | null;
  readonly ask: number | null;
}

export type PriceHistory = ReturnType<typeof createPriceHistory>;

/** The last five minutes of every symbol, one point a second at most. */
export function createPriceHistory() {
  const pointsOf = new Map<string, PricePoint[]>();
  let heard = { marketMs: 0, atMs: -Infinity };

  function append(points: PricePoint[], point: PricePoint): void {
    const last = points.at(-1);
    const sameSecond =
      last !== undefined && Math.floor(last.timeMs / SAMPLE_MS) === Math.floor(point.timeMs / SAMPLE_MS);
    if (sameSecond && last.bid !== null && point.bid !== null) points.pop();
    points.push(point);
    const outdated = points.findIndex(({ timeMs }) => timeMs >= point.timeMs - KEPT_MS);
    // The last point before the window is kept: its price is the one the window opens with.
    if (outdated > 1) points.splice(0, outdated - 1);
  }

  return {
    /** Takes what came at `nowMs` of the market and `atMs` of a clock that never jumps. */
    add(rows: readonly WireRow[], nowMs: number, atMs: number): void {
      if (atMs - heard.atMs > SILENCE_MS) {
        const { marketMs } = heard;
        for (const points of pointsOf.values()) append(points, { timeMs: marketMs, bid: null, ask: null });
      }
      heard = { marketMs: nowMs, atMs };
      for (const [symbol, bid, ask] of rows) {
        const points = pointsOf.get(symbol) ?? [];
        pointsOf.set(symbol, points);
        append(points, { timeMs: nowMs, bid, ask });
      }
    },
    /** Oldest first; a list of its own for every call. */
    of: (symbol: string): readonly PricePoint[] => [...(pointsOf.get(symbol) ?? [])],
  };
}

const HistoryContext = createContext<PriceHistory | null>(null);
export const PriceHistoryProvider = HistoryContext.Provider;

export function usePriceHistory(): PriceHistory {
  const history = useContext(HistoryContext);
  if (history === null) throw new Error("A chart needs a PriceHistoryProvider above it");
  return history;
}
