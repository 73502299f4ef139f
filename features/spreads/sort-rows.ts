import type { SpreadRow } from "@/features/spreads/types";
import type { SpreadSort } from "@/features/spreads/url";

/** Sorts rows by one column, the lowest first. Rows without a value are last; equal ones keep their order. */
export function sortRows(rows: readonly SpreadRow[], sort: SpreadSort): SpreadRow[] {
  if (sort === "symbol") return [...rows].sort((one, other) => one.symbol.localeCompare(other.symbol));
  return [...rows].sort((one, other) => (one[sort] ?? Infinity) - (other[sort] ?? Infinity) || 0);
}
