import { memo, useLayoutEffect, useRef } from "react";
import { flash } from "@/features/quotes/row/flash";
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

/** A price with its pips large. An arrow and a colour show the direction of the last move, and a tint the move itself. */
export const Price = memo(function Price({ value, digits, pipSize, move, flashes }: PriceProps) {
  const { lead, pips, pipette } = splitPrice(value, digits, pipSize);
  const price = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (flashes > 0 && price.current !== null) flash(price.current);
  }, [flashes]);
  return (
    <span ref={price} className="price numerals" data-move={move === 1 ? "up" : move === -1 ? "down" : undefined}>
      <span className="price-lead">{lead}</span>
      {pips !== "" && <span className="price-pips">{pips}</span>}
      {pipette !== "" && <span className="price-pipette">{pipette}</span>}
    </span>
  );
});
