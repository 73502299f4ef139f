/** A price as trading screens show it: "1.08" small, "52" large, "3" raised. */
export interface PriceParts {
  readonly lead: string;
  readonly pips: string;
  /** Fractions of a pip; empty where a pip is the smallest step. */
  readonly pipette: string;
}

/**
 * Splits a price with `digits` decimals and a pip of `pipSize` price units. If a pip is not a power of ten of points,
 * the whole price is in `lead`.
 */
export function splitPrice(price: number, digits: number, pipSize: number): PriceParts {
  const points = Math.round(price * 10 ** digits);
  const pointsPerPip = Math.round(pipSize * 10 ** digits);
  const pipetteDigits = Math.round(Math.log10(pointsPerPip));
  const fixed = price.toFixed(digits);
  if (points < 0 || pointsPerPip < 1 || 10 ** pipetteDigits !== pointsPerPip) {
    return { lead: fixed, pips: "", pipette: "" };
  }
  const text = String(points).padStart(Math.max(digits + 1, pipetteDigits + 2), "0");
  const pipsStart = text.length - pipetteDigits - 2;
  // The decimal point belongs to the digits on its left.
  const cut = (from: number, to: number): string => {
    const point = text.length - digits;
    if (digits === 0 || point <= from || point > to) return text.slice(from, to);
    return `${text.slice(from, point)}.${text.slice(point, to)}`;
  };
  return {
    lead: cut(0, pipsStart),
    pips: cut(pipsStart, pipsStart + 2),
    pipette: cut(pipsStart + 2, text.length),
  };
}
