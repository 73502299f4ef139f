import type { SpreadPoint } from "@/features/spreads/types";
import { DAY_MS, HOUR_MS, QUARTER_HOUR_MS, WEEK_MS } from "@/lib/time/units";

/** A corner of the chart's steps. A gap has only a time. */
export interface DrawnPoint {
  readonly timeMs: number;
  readonly avg: number | null;
  readonly band: readonly [number, number] | null;
}

/** Returns the series as steps. The last one ends now. There are gaps where nothing was recorded. */
export function toDrawnSeries(series: readonly SpreadPoint[], stepMs: number, nowMs: number): DrawnPoint[] {
  const drawn: DrawnPoint[] = [];
  for (const [index, [startMs, avg, p5, p95]] of series.entries()) {
    drawn.push({ timeMs: startMs, avg, band: [p5, p95] });
    const endMs = Math.min(startMs + stepMs, Math.max(nowMs, startMs));
    const next = series[index + 1];
    if (next !== undefined && next[0] <= endMs) continue;
    drawn.push({ timeMs: endMs, avg, band: [p5, p95] });
    if (next !== undefined) drawn.push({ timeMs: endMs, avg: null, band: null });
  }
  return drawn;
}

/** Finds the point of the step that includes a time. */
export function findPoint(series: readonly SpreadPoint[], stepMs: number, timeMs: number): SpreadPoint | undefined {
  return series.find(([startMs]) => startMs <= timeMs && timeMs < startMs + stepMs);
}

const STEPS_MS = [
  QUARTER_HOUR_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  4 * DAY_MS,
  WEEK_MS,
];

/** Returns at most `most` round times to mark on the axis. */
export function computeTimeTicks(fromMs: number, untilMs: number, most: number): number[] {
  const stepMs = STEPS_MS.find((step) => (untilMs - fromMs) / step <= most) ?? WEEK_MS;
  const first = Math.ceil(fromMs / stepMs);
  return Array.from({ length: Math.floor(untilMs / stepMs) - first + 1 }, (_, index) => (first + index) * stepMs);
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Formats a time on the axis: the time of day, or the date for spans of several days. */
export function formatAxisTime(timeMs: number, spanMs: number): string {
  return spanMs > 2 * DAY_MS ? dayMonth.format(timeMs) : new Date(timeMs).toISOString().slice(11, 16);
}
