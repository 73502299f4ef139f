import type { MoveCondition, PriceCondition, StateCondition, WatchedState } from "@/lib/alerts/conditions/condition";
import { choosePrice, findSide, hasCrossed, type Side } from "@/lib/alerts/conditions/price-cross";
import { findMove } from "@/lib/alerts/conditions/price-window";
import type { QuoteState } from "@/lib/book/freshness";

/** What the condition of an alert remembers between two evaluations, and across a restart. */
export interface AlertState {
  /** The side of the level on which the price was last. */
  readonly side?: Side;
  /** Whether the move or the spread was last as large as the condition wants. */
  readonly met?: boolean;
  /** The last state of the quote. */
  readonly quote?: WatchedState;
  /** The keys of the events that were found before; see events.ts. */
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

export function evaluatePrice(
  { level, direction, price }: PriceCondition,
  state: AlertState | null,
  quote: { readonly bid: number; readonly ask: number },
): Verdict | null {
  const before = state?.side ?? null;
  const side = findSide(choosePrice(quote, price), level);
  return side === before ? null : { state: { side }, fires: hasCrossed(before, side, direction) };
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
