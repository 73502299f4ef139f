import type { SecondRow } from "@/lib/history/hour-columns";

/** Folds the updates of one second into its row. Prices are in points. */

/** A row that is still being filled. */
export interface FillingRow extends SecondRow {
  bid: number;
  ask: number;
  open: number;
  high: number;
  low: number;
  updates: number;
}

/** Adds the update that arrived last: it becomes the close. */
export function addUpdate(row: FillingRow, bid: number, ask: number): void {
  row.bid = bid;
  row.ask = ask;
  if (bid > row.high) row.high = bid;
  else if (bid < row.low) row.low = bid;
  row.updates++;
}

/**
 * Merges a second that an earlier run stored with the same second delivered again; null if nothing is new. A feed that
 * starts over delivers the second again, in part or with more updates. A broker that reconnects repeats its last price.
 * Any other updates follow the stored ones.
 */
export function mergeRedelivered(stored: SecondRow, delivered: SecondRow): SecondRow | null {
  const startsAlike = delivered.open === stored.open;
  if (startsAlike && isWithin(delivered, stored)) return null;
  if (delivered.updates === 1 && delivered.bid === stored.bid && delivered.ask === stored.ask) return null;
  if (startsAlike && isWithin(stored, delivered)) return delivered;
  return {
    ...delivered,
    open: stored.open,
    high: Math.max(stored.high, delivered.high),
    low: Math.min(stored.low, delivered.low),
    updates: stored.updates + delivered.updates,
  };
}

function isWithin(part: SecondRow, whole: SecondRow): boolean {
  return part.updates <= whole.updates && part.high <= whole.high && part.low >= whole.low;
}
