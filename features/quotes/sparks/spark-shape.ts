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
