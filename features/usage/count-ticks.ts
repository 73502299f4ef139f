const MOST_STEPS = 4;

/** Returns whole numbers to mark on an axis from 0, at most five, the last at or above `highest`. */
export function computeCountTicks(highest: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const step of [power, 2 * power, 5 * power]) {
      const steps = Math.max(1, Math.ceil(highest / step));
      if (steps <= MOST_STEPS) return Array.from({ length: steps + 1 }, (_, index) => index * step);
    }
  }
}
