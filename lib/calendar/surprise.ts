import type { CalendarEvent } from "@/lib/calendar/event";
import { parseFigure } from "@/lib/calendar/figure";

/** How far a released figure was from its forecast. */
export interface Surprise {
  /** Actual − forecast, in the figure's unit with its multiplier applied: "5K" is 5,000. */
  readonly value: number;
  /** The surprise in standard deviations; null with fewer than five earlier surprises, or if they are all equal. */
  readonly sigmas: number | null;
  /** How many earlier surprises the standard deviation is of. */
  readonly n: number;
}

/** Fewer surprises do not say what is usual. */
const LEAST_SURPRISES = 5;

/**
 * Computes the surprise of each release of a series, oldest first; null where actual or forecast is missing or no number.
 *
 * In standard deviations a surprise is (actual − forecast) / s. s is the sample standard deviation, around the mean and
 * with n − 1, of the n surprises of the same series before it; later ones do not count, so the value never changes.
 */
export function computeSurprises(releases: readonly Pick<CalendarEvent, "forecast" | "actual">[]): (Surprise | null)[] {
  const earlier: number[] = [];
  return releases.map(({ forecast, actual }) => {
    const [expected, released] = [parseFigure(forecast), parseFigure(actual)];
    if (expected === null || released === null || expected.unit !== released.unit) return null;
    const value = subtract(released.value, expected.value);
    const deviation = getDeviation(earlier);
    const sigmas = earlier.length < LEAST_SURPRISES || deviation === 0 ? null : value / deviation;
    const surprise = { value, sigmas, n: earlier.length };
    earlier.push(value);
    return surprise;
  });
}

/** Subtracts decimals without the noise of binary fractions: 0.3 − 0.1 is 0.2. */
function subtract(a: number, b: number): number {
  return Number((a - b).toPrecision(12));
}

function getDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
