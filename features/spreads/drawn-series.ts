import type { SpreadPoint } from "@/features/spreads/types";
import { DAY_MS, HOUR_MS, QUARTER_HOUR_MS, WEEK_MS } from "@/lib/time/units";

/** A corner of the chart's steps. A gap has a time and nothing else. */
export interface DrawnPoint {
  readonly timeMs: number;
  readonly avg: number | null;
  readonly band: readonly [number, number] | null;
}

/** The series as steps a quarter of an hour wide, the last one ending now; broken where nothing was recorded. */
export function toDrawnSeries(series: readonly SpreadPoint[], nowMs: number): DrawnPoint[] {
  const drawn: DrawnPoint[] = [];
  for (const [index, [startMs, avg, p5, p95]] of series.entries()) {
    drawn.push({ timeMs: startMs, avg, band: [p5, p95] });
    const endMs = Math.min(startMs + QUARTER_HOUR_MS, Math.max(nowMs, startMs));
    const next = series[index + 1];
    if (next !== undefined && next[0] <= endMs) continue;
    drawn.push({ timeMs: endMs, avg, band: [p5, p95] });
    if (next !== undefined) drawn.push({ timeMs: endMs, avg: null, band: null });
  }
  return drawn;
}

/** The point of the series whose quarter holds a moment. */
export function findPoint(series: readonly SpreadPoint[], timeMs: number): SpreadPoint | undefined {
  return series.find(([startMs]) => startMs <= timeMs && timeMs < startMs + QUARTER_HOUR_MS);
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

/** Round moments to mark on the axis of time: at most `most` of them. */
export function computeTimeTicks(fromMs: number, untilMs: number, most: number): number[] {
  const stepMs = STEPS_MS.find((step) => (untilMs - fromMs) / step <= most) ?? WEEK_MS;
  const first = Math.ceil(fromMs / stepMs);
  return Array.from({ length: Math.floor(untilMs / stepMs) - first + 1 }, (_, index) => (first + index) * stepMs);
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A moment on the axis: the time of day, or the date where days are marked. */
export function formatAxisTime(timeMs: number, spanMs: number): string {
  return spanMs > 2 * DAY_MS ? dayMonth.format(timeMs) : new Date(timeMs).toISOString().slice(11, 16);
}
