import type { SymbolStore } from "@/features/quotes/columns/symbol-store";
import { drawSpark, type SparkShape } from "@/features/quotes/sparks/spark-shape";
import type { LoadedLine, WireDay, WireRow } from "@/features/quotes/types";
import { getDayReference } from "@/lib/market/day-change";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

/** Lines drawn at once. All symbols are drawn again within some fifteen seconds, and no frame takes long. */
const DRAWN_A_SECOND = 12;

interface Line {
  startMs: number;
  reference: number;
  /** The first bid of the day. */
  open: number;
  /** The last bid of each quarter of an hour of the day. */
  prices: (number | null | undefined)[];
}

/**
 * The day's prices of every symbol: loaded once, then extended by the rows that arrive. `onRewritten` is called when the
 * past of a day was changed on the server, so that lines must be loaded again.
 */
export function createSparkLines(shapes: SymbolStore<SparkShape>, onRewritten: () => void = () => {}) {
  const lines = new Map<string, Line>();
  /** Symbols to draw again, longest waiting first. */
  const changed = new Set<string>();

  return {
    addDays(days: readonly WireDay[]): void {
      for (const [symbol, startMs, previousClose, open] of days) {
        const reference = getDayReference({ previousClose, open });
        const line = lines.get(symbol);
        if (line?.startMs !== startMs) lines.set(symbol, { startMs, reference, open, prices: [] });
        else {
          if (line.open !== open) onRewritten();
          Object.assign(line, { reference, open });
        }
        changed.add(symbol);
      }
    },
    addRows(rows: readonly WireRow[]): void {
      for (const [symbol, bid, , , timeMs] of rows) {
        const line = lines.get(symbol);
        const at = line === undefined ? -1 : Math.floor((timeMs - line.startMs) / QUARTER_HOUR_MS);
        // The last day of a closed market ends, and a new one starts with its first price.
        if (line === undefined || at < 0 || at > MOST_QUARTERS) continue;
        line.prices[at] = bid;
        changed.add(symbol);
      }
    },
    /** Adds the loaded prices of the day. Those that arrived meanwhile are newer. */
    addLoaded(loaded: Readonly<Record<string, LoadedLine>>): void {
      for (const [symbol, { startMs, prices }] of Object.entries(loaded)) {
        const line = lines.get(symbol);
        if (line?.startMs !== startMs) continue;
        for (const [at, price] of prices.entries()) line.prices[at] ??= price;
        changed.add(symbol);
      }
    },
    /** Draws some of the changed lines; call it each second. */
    draw(): void {
      for (const symbol of [...changed].slice(0, DRAWN_A_SECOND)) {
        changed.delete(symbol);
        const line = lines.get(symbol);
        const shape = line && drawSpark(Array.from(line.prices), line.reference);
        if (shape) shapes.set(symbol, shape);
      }
    },
  };
}

/** A day on which clocks go back has 25 hours. */
const MOST_QUARTERS = 25 * 4;
