import type { IChartApiBase } from "lightweight-charts";
import { findLastBefore } from "@/features/symbols/chart/find-logical";
import type { WireBar } from "@/features/symbols/types";

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
