import type { SpreadPoint } from "@/features/spreads/types";

/** Which value of a point is drawn. */
type PointField = 1 | 2 | 3;

/**
 * Returns a value for every step from `fromMs` until `nowMs`; null where nothing was recorded. The chart gives each point
 * the same width, so the steps have to be complete.
 */
export function fillSteps(
  points: readonly SpreadPoint[],
  { fromMs, nowMs, stepMs }: { readonly fromMs: number; readonly nowMs: number; readonly stepMs: number },
  field: PointField = 1,
): [timeMs: number, value: number | null][] {
  const values = new Map(points.map((point) => [point[0], point[field]]));
  const first = Math.floor(fromMs / stepMs);
  return Array.from({ length: Math.floor(nowMs / stepMs) - first + 1 }, (_, index) => {
    const timeMs = (first + index) * stepMs;
    return [timeMs, values.get(timeMs) ?? null];
  });
}
