import type { Direction, PriceSide } from "@/lib/alerts/conditions/condition";

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

/** The price that is compared with a level. */
export function choosePrice({ bid, ask }: { readonly bid: number; readonly ask: number }, side: PriceSide): number {
  return side === "bid" ? bid : side === "ask" ? ask : (bid + ask) / 2;
}
