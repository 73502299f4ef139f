import type { SecondRow } from "@/lib/history/hour-columns";

/** How updates of one second become its row, and what to make of a second that was heard before. Prices in points. */

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
 * What a second holds that was recorded by an earlier run and is now heard again: null where nothing is new. A feed that
 * starts over delivers the same second once more, as far as it got or further than before; a broker that is joined
 * anew repeats its last price. Anything else are further updates of the second, which come after those it has.
 */
export function mergeRedelivered(known: SecondRow, heard: SecondRow): SecondRow | null {
  const startsAlike = heard.open === known.open;
  if (startsAlike && isWithin(heard, known)) return null;
  if (heard.updates === 1 && heard.bid === known.bid && heard.ask === known.ask) return null;
  if (startsAlike && isWithin(known, heard)) return heard;
  return {
    ...heard,
    open: known.open,
    high: Math.max(known.high, heard.high),
    low: Math.min(known.low, heard.low),
    updates: known.updates + heard.updates,
  };
}

function isWithin(part: SecondRow, whole: SecondRow): boolean {
  return part.updates <= whole.updates && part.high <= whole.high && part.low >= whole.low;
}
