import { type IChartApiBase, type ISeriesApi, LineSeries, LineType, PriceScaleMode } from "lightweight-charts";
import { toChartTime } from "@/features/symbols/chart/chart-time";
import type { ChartColours } from "@/features/symbols/chart/colours";

/** The mean spread of each bar in pips, in a pane below the prices. */
export function createSpreadPane(chart: IChartApiBase, colours: ChartColours) {
  let series: ISeriesApi<"Line"> | null = null;
  return {
    /** Pips by time, oldest first. Null removes the pane. */
    set(points: readonly (readonly [timeMs: number, pips: number])[] | null): void {
      if (points === null) {
        if (series !== null) chart.removeSeries(series);
        series = null;
        return;
      }
      if (series === null) {
        series = chart.addSeries(
          LineSeries,
          {
            color: colours.dim,
            lineWidth: 1,
            lineType: LineType.WithSteps,
            title: "Spread",
            priceLineVisible: false,
            priceFormat: { type: "price", precision: 2, minMove: 0.01 },
          },
          chart.panes().length,
        );
        shareHeight(chart);
      }
      series.setData(points.map(([timeMs, value]) => ({ time: toChartTime(timeMs), value })));
    },
  };
}

/** The height of the prices in heights of a pane below them. */
const PRICE_STRETCH = 4;

/** Divides the height among the panes. Only prices can be in percent: a new pane would take over their scale. */
export function shareHeight(chart: IChartApiBase): void {
  for (const [index, pane] of chart.panes().entries()) {
    pane.setStretchFactor(index === 0 ? PRICE_STRETCH : 1);
    if (index > 0) pane.priceScale("right").applyOptions({ mode: PriceScaleMode.Normal });
  }
}
