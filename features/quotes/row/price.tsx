import { memo } from "react";
import { splitPrice } from "@/features/quotes/row/price-parts";
import type { Move } from "@/features/quotes/types";

interface PriceProps {
  value: number;
  digits: number;
  pipSize: number;
  move: Move;
  /** The number of moves since this cell was rendered. Every new number is one flash. */
  flashes: number;
}

/**
 * A price with its pips large. An arrow and a colour show the direction. The flash is pure CSS: switching between two
 * names of one animation restarts it.
 */
export const Price = memo(function Price({ value, digits, pipSize, move, flashes }: PriceProps) {
  const { lead, pips, pipette } = splitPrice(value, digits, pipSize);
  return (
    <span
      className="price numerals"
      data-move={move === 1 ? "up" : move === -1 ? "down" : undefined}
      data-flash={flashes === 0 ? undefined : flashes % 2 === 0 ? "even" : "odd"}
    >
      <span className="price-lead">{lead}</span>
      {pips !== "" && <span className="price-pips">{pips}</span>}
      {pipette !== "" && <span className="price-pipette">{pipette}</span>}
    </span>
  );
});
