import type {
  Direction,
  IndicatorCondition,
  MoveCondition,
  PriceCondition,
  StateCondition,
  WatchedState,
} from "@/lib/alerts/conditions";
import type { QuoteState } from "@/lib/book/freshness";
import { choosePrice } from "@/lib/market/price";
import { MINUTE_MS } from "@/lib/time/units";

/** Compares the moments that an alert sees with its condition: pure, and with little memory. */

/** What the condition of an alert remembers between two evaluations, and across a restart. */
export interface AlertState {
  /** The side of the level on which the price was last. */
  readonly side?: Side;
  /** Whether the move or the spread was last as large as the condition wants. */
  readonly met?: boolean;
  /** The last state of the quote. */
  readonly quote?: WatchedState;
  /** The keys of the events or days that were found before; see events.ts and completeness.ts. */
  readonly seen?: readonly string[];
}

/** The outcome of an evaluation that changed something. */
export interface Verdict {
  readonly state: AlertState;
  /** Whether the condition has just become true. */
  readonly fires: boolean;
}

/*
 * Each function compares a moment with the state, which is null before the first evaluation, and returns null if nothing
 * has changed. An alert fires when its condition becomes true, never because it is true already when it begins.
 */

/** Compares a price with a level, or with the level that a line has at the moment. */
export function evaluatePrice(
  { level, direction, price }: Pick<PriceCondition, "level" | "direction" | "price">,
  state: AlertState | null,
  quote: { readonly bid: number; readonly ask: number },
): Verdict | null {
  const before = state?.side ?? null;
  const side = findSide(choosePrice(quote, price), level);
  return side === before ? null : { state: { side }, fires: hasCrossed(before, side, direction) };
}

/** Compares the values at the newest closed bar. */
export function evaluateIndicator(
  { direction }: Pick<IndicatorCondition, "direction">,
  state: AlertState | null,
  { value, against }: { readonly value: number; readonly against: number },
): Verdict | null {
  const before = state?.side ?? null;
  const side = findSide(value, against);
  if (side === before) return null;
  // At the level the value has not crossed it: the side before stays until it is beyond.
  if (side === 0) return before === null ? { state: { side }, fires: false } : null;
  const isCrossed =
    before !== null && before !== 0 && (direction === "either" || (direction === "up") === (side === 1));
  return { state: { side }, fires: isCrossed };
}

export function evaluateMove(
  { percent, direction }: MoveCondition,
  state: AlertState | null,
  moves: { readonly up: number; readonly down: number },
): Verdict | null {
  return evaluateFlag(findMove(moves, percent, direction) !== null, state);
}

/** `usual` is the 95th percentile of seven days, in the unit of the spread. */
export function evaluateSpread(spread: number, usual: number, state: AlertState | null): Verdict | null {
  return evaluateFlag(spread > usual, state);
}

function evaluateFlag(met: boolean, state: AlertState | null): Verdict | null {
  return met === state?.met ? null : { state: { met }, fires: met && state?.met === false };
}

export function evaluateState(
  { states }: StateCondition,
  state: AlertState | null,
  quoteState: QuoteState,
): Verdict | null {
  const quote = quoteState === "delayed" ? "live" : quoteState;
  if (quote === state?.quote) return null;
  return { state: { quote }, fires: state?.quote !== undefined && states.includes(quote) };
}

/**
 * Compares the keys of the events that are found now with those found before. `fresh` are the new ones. A condition that
 * begins with `ignoresFirst` takes the first ones as known: they were there before the alert.
 */
export function evaluateEvents(
  keys: readonly string[],
  state: AlertState | null,
  { ignoresFirst }: { readonly ignoresFirst: boolean },
): { readonly state: AlertState; readonly fresh: readonly string[] } | null {
  if (state?.seen === undefined && ignoresFirst) return { state: { seen: keys }, fresh: [] };
  const before = new Set(state?.seen);
  const fresh = keys.filter((key) => !before.has(key));
  if (state?.seen !== undefined && fresh.length === 0 && keys.length === before.size) return null;
  return { state: { seen: keys }, fresh };
}

/** A window is divided into so many parts, of which the oldest leaves at a time. */
const PARTS = 60;

/**
 * The lowest and highest price of the last minutes, to within a sixtieth of the window: never of an older price, and of
 * all those of the last 59 sixtieths. Adding a price allocates nothing.
 */
export class PriceWindow {
  readonly #partMs: number;
  /** By the number of the part since 1970, modulo their count. */
  readonly #numbers = new Float64Array(PARTS).fill(-1);
  readonly #lows = new Float64Array(PARTS);
  readonly #highs = new Float64Array(PARTS);

  constructor(minutes: number) {
    this.#partMs = (minutes * MINUTE_MS) / PARTS;
  }

  /** Adds a price of a time, UTC milliseconds. One that is older than the window is ignored later on. */
  add(price: number, timeMs: number): void {
    const number = Math.floor(timeMs / this.#partMs);
    const at = number % PARTS;
    const held = this.#numbers[at] as number;
    if (held > number) return;
    if (held < number) {
      this.#numbers[at] = number;
      this.#lows[at] = this.#highs[at] = price;
      return;
    }
    if (price < (this.#lows[at] as number)) this.#lows[at] = price;
    if (price > (this.#highs[at] as number)) this.#highs[at] = price;
  }

  /** The lowest price of the window that ends at a time; Infinity without any. */
  findLowest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let lowest = Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) lowest = Math.min(lowest, this.#lows[at] as number);
    return lowest;
  }

  /** The highest price of the window that ends at a time; -Infinity without any. */
  findHighest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let highest = -Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) highest = Math.max(highest, this.#highs[at] as number);
    return highest;
  }

  #findOldest(nowMs: number): number {
    return Math.floor(nowMs / this.#partMs) - PARTS + 1;
  }
}

/** How far a price is from the lowest and the highest of its window, in percent: at least 0, and at most 0. */
export function computeMoves(price: number, window: PriceWindow, nowMs: number): { up: number; down: number } {
  const [lowest, highest] = [window.findLowest(nowMs), window.findHighest(nowMs)];
  if (lowest === Infinity) return { up: 0, down: 0 };
  return {
    up: Math.max(0, ((price - lowest) / lowest) * 100),
    down: Math.min(0, ((price - highest) / highest) * 100),
  };
}

/** Whether moves reach a percentage, apart from the noise of binary arithmetic. Returns the one that does; null if none. */
export function findMove(
  { up, down }: { readonly up: number; readonly down: number },
  percent: number,
  direction: "up" | "down" | "either",
): number | null {
  const least = percent * (1 - 1e-9);
  const isUp = direction !== "down" && up >= least;
  const isDown = direction !== "up" && -down >= least;
  if (isUp && (!isDown || up >= -down)) return up;
  return isDown ? down : null;
}

/** Where a price is of a level: below, at, or above it. */
export type Side = -1 | 0 | 1;

export function findSide(price: number, level: number): Side {
  return price < level ? -1 : price > level ? 1 : 0;
}

/**
 * Whether a price that was on one side has reached or passed its level. A price that goes back from the level to the
 * side where it came from, or on to the other, was reported when it reached the level. `before` is null before the first
 * price, which never crosses.
 */
export function hasCrossed(before: Side | null, after: Side, direction: Direction): boolean {
  if (before === null || before === 0 || before === after) return false;
  return direction === "either" || (direction === "up" ? before === -1 : before === 1);
}
