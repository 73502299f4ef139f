import type { IChartApiBase } from "lightweight-charts";
import type { WireBar } from "@/features/symbols/types";
import { findLastBefore } from "@/lib/market/time-axis";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";

/** The moments between which the chart shows bars: UTC milliseconds. `toMs` is null while it follows the newest bar. */
export interface ViewRange {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Space after the newest bar, in bars. */
const RIGHT_OFFSET = 8;

/** Reads the shown range; null if no bar is in view. */
export function readViewRange(chart: IChartApiBase, bars: readonly WireBar[]): ViewRange | null {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return null;
  const first = bars[Math.max(0, Math.ceil(range.from))];
  const last = range.to >= bars.length - 1 ? null : bars[Math.floor(range.to)];
  if (first === undefined || last === undefined) return null;
  return { fromMs: first[0], toMs: last?.[0] ?? null };
}

/** Shows a range. Bars that are not loaded cannot be shown. */
export function showViewRange(chart: IChartApiBase, bars: readonly WireBar[], { fromMs, toMs }: ViewRange): void {
  const times = bars.map(([timeMs]) => timeMs);
  const to = toMs === null ? bars.length - 1 + RIGHT_OFFSET : findLastBefore(times, toMs);
  const from = Math.min(findLastBefore(times, fromMs), to - 1);
  chart.timeScale().setVisibleLogicalRange({ from, to });
}

/** Moves the view by a share of its width, or makes it wider (above 1) or narrower around its right end. */
export function moveView(chart: IChartApiBase, { by = 0, zoom = 1 }: { by?: number; zoom?: number }): void {
  const range = chart.timeScale().getVisibleLogicalRange();
  if (range === null) return;
  const width = (range.to - range.from) * zoom;
  const to = range.to + by * (range.to - range.from);
  chart.timeScale().setVisibleLogicalRange({ from: to - width, to });
}

/**
 * Returns where a moment lies on the time axis, counted in bars from the first one: 2 where the third bar opened, 2.5
 * halfway through it. Times without bars, such as a weekend, take no space: such a moment lies where the next bar
 * opens. After the last bar, every bar's length takes the space of a bar. Null before the first bar and without bars.
 *
 * @param times the openings of the bars, oldest first
 */
export function findLogical(times: readonly number[], ms: number, timeframe: Timeframe): number | null {
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || ms < first) return null;
  const lengthMs = getBarEnd(timeframe, last) - last;
  if (ms >= last) return times.length - 1 + (ms - last) / lengthMs;
  const index = findLastBefore(times, ms);
  return index + Math.min(1, (ms - (times[index] as number)) / lengthMs);
}
