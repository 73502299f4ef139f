import type { SymbolStore } from "@/features/quotes/symbol-store";
import type { LoadedLine, WireDay, WireLine, WireRow } from "@/features/quotes/types";
import { getDayReference } from "@/lib/market/day-change";
import { countDigits, toPoints, toPrice } from "@/lib/market/price";
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

  function pickChanged(): string[] {
    const waiting = [...changed];
    const shown = waiting.filter((symbol) => shapes.isWatched(symbol));
    return (shown.length >= DRAWN_A_SECOND ? shown : [...new Set([...shown, ...waiting])]).slice(0, DRAWN_A_SECOND);
  }

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
    /** Draws some of the changed lines, first those that are shown; call it each second. */
    draw(): void {
      for (const symbol of pickChanged()) {
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

/** The size of the drawing; it is stretched to its cell. */
export const SPARK_WIDTH = 96;
export const SPARK_HEIGHT = 20;
/** Room for the line's own width above and below. */
const MARGIN = 1.5;
/** The shortest width in steps, so that the first prices of a day are not stretched over the whole cell. */
const LEAST_STEPS = 8;

/** A line, and the level that the day is measured from. */
export interface SparkShape {
  /** An SVG path. */
  readonly path: string;
  /** The height of the reference price; null if there is none. */
  readonly referenceY: number | null;
  /** Whether the last price is above (1), at (0) or below (-1) the reference. */
  readonly direction: -1 | 0 | 1;
}

/**
 * Draws the prices of equal steps of time. A step without a price has that of the step before. Null without a price.
 * @param reference the price that the day is measured from
 */
export function drawSpark(prices: readonly (number | null | undefined)[], reference: number | null): SparkShape | null {
  const known = [...prices, reference].filter((price): price is number => price != null);
  const last = prices.findLast((price) => price != null);
  if (last == null) return null;
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const toY = (price: number) =>
    high === low ? SPARK_HEIGHT / 2 : round(MARGIN + ((high - price) / (high - low)) * (SPARK_HEIGHT - 2 * MARGIN));
  const step = SPARK_WIDTH / Math.max(LEAST_STEPS, prices.length);
  // Without a first price nothing is known of the time before the second.
  let path = reference === null || prices[0] == null ? "" : `M0 ${toY(reference)}`;
  for (const [index, price] of prices.entries()) {
    if (price == null) continue;
    path += `${path === "" ? "M" : "L"}${round((index + 1) * step)} ${toY(price)}`;
  }
  // A single point would be invisible.
  if (!path.includes("L")) path += "h1";
  return {
    path,
    referenceY: reference === null ? null : toY(reference),
    direction: reference === null ? 0 : (Math.sign(last - reference) as -1 | 0 | 1),
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Encodes prices in points of their finest digits, as steps from one to the next, which are short. */
export function encodeLine(startMs: number, prices: readonly (number | null)[]): WireLine {
  const digits = prices.reduce<number>((most, price) => Math.max(most, countDigits(price ?? 0)), 0);
  let before = 0;
  const steps = prices.map((price) => {
    if (price === null) return null;
    const point = toPoints(price, digits);
    const step = point - before;
    before = point;
    return step;
  });
  return [startMs, digits, steps];
}

/** Decodes a line into prices. */
export function decodeLine([startMs, digits, steps]: WireLine): LoadedLine {
  let point = 0;
  return { startMs, prices: steps.map((step) => (step === null ? null : toPrice((point += step), digits))) };
}
