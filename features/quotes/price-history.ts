"use client";

import { createContext, useContext } from "react";
import type { WireRow } from "@/features/quotes/types";
import { MINUTE_MS } from "@/lib/time/units";

/** The quotes received while the board is open, for the charts of its rows. */

const SAMPLE_MS = 1_000;
const WINDOW_MS = 5 * MINUTE_MS;
/** The server sends at least every five seconds. After this long without a message there is a gap. */
const SILENCE_MS = 12_000;

export interface PricePoint {
  /** The market's time, UTC milliseconds. */
  readonly timeMs: number;
  /** Both null where a gap starts, so that no line is drawn across it. */
  readonly bid: number | null;
  readonly ask: number | null;
}

export type PriceHistory = ReturnType<typeof createPriceHistory>;

/** The last five minutes of every symbol, one point a second at most. */
export function createPriceHistory() {
  const pointsBySymbol = new Map<string, PricePoint[]>();
  let latest = { marketMs: 0, atMs: -Infinity };

  function append(points: PricePoint[], point: PricePoint): void {
    const last = points.at(-1);
    const sameSecond =
      last !== undefined && Math.floor(last.timeMs / SAMPLE_MS) === Math.floor(point.timeMs / SAMPLE_MS);
    if (sameSecond && last.bid !== null && point.bid !== null) points.pop();
    points.push(point);
    const outdated = points.findIndex(({ timeMs }) => timeMs >= point.timeMs - WINDOW_MS);
    // The last point before the window stays: its price is the first of the window.
    if (outdated > 1) points.splice(0, outdated - 1);
  }

  return {
    /** Adds rows received at `nowMs` of the market and `atMs` of a monotonic clock. */
    add(rows: readonly WireRow[], nowMs: number, atMs: number): void {
      if (atMs - latest.atMs > SILENCE_MS) {
        const { marketMs } = latest;
        for (const points of pointsBySymbol.values()) append(points, { timeMs: marketMs, bid: null, ask: null });
      }
      latest = { marketMs: nowMs, atMs };
      for (const [symbol, bid, ask] of rows) {
        const points = pointsBySymbol.get(symbol) ?? [];
        pointsBySymbol.set(symbol, points);
        append(points, { timeMs: nowMs, bid, ask });
      }
    },
    /** A symbol's points, oldest first; a new list for every call. */
    read: (symbol: string): readonly PricePoint[] => [...(pointsBySymbol.get(symbol) ?? [])],
  };
}

const HistoryContext = createContext<PriceHistory | null>(null);
export const PriceHistoryProvider = HistoryContext.Provider;

export function usePriceHistory(): PriceHistory {
  const history = useContext(HistoryContext);
  if (history === null) throw new Error("A chart needs a PriceHistoryProvider above it");
  return history;
}
