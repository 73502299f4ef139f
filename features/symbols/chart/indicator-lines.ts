import { HistogramSeries, type IChartApiBase, type ISeriesApi, LineSeries } from "lightweight-charts";
import type { BarStore } from "@/features/symbols/bars/bar-store";
import { toChartTime } from "@/features/symbols/chart/chart-time";
import { type ChartColours, fade } from "@/features/symbols/chart/colours";
import { shareHeight } from "@/features/symbols/chart/panes";
import type { IndicatorLook } from "@/features/symbols/types";

type LineApi = ISeriesApi<"Line"> | ISeriesApi<"Histogram">;

/** The lines of the chosen indicators: over the prices, or each family in a pane below them. */
export function createIndicatorLines(chart: IChartApiBase, colours: ChartColours) {
  let drawn: { readonly look: IndicatorLook; readonly series: LineApi }[] = [];

  function add(look: IndicatorLook, index: number, paneIndex: number): LineApi {
    const color = getLineColour(colours, index);
    // The legend has all decimals of an oscillator, for which an axis is too narrow.
    const precision = look.pane !== null && look.decimals === 4 ? 2 : look.decimals;
    const shared = {
      priceLineVisible: false,
      lastValueVisible: look.pane !== null,
      title: look.pane === null ? "" : look.name,
      priceFormat: { type: "price", precision, minMove: 10 ** -precision },
    } as const;
    if (look.shape === "columns") {
      return chart.addSeries(HistogramSeries, { ...shared, color: fade(color, 0.6) }, paneIndex);
    }
    const isLine = look.shape === "line";
    return chart.addSeries(
      LineSeries,
      {
        ...shared,
        color,
        lineWidth: 1,
        lineVisible: isLine,
        pointMarkersVisible: !isLine,
        pointMarkersRadius: 1.5,
        crosshairMarkerVisible: isLine,
        crosshairMarkerRadius: 3,
      },
      paneIndex,
    );
  }

  return {
    /** Replaces the lines. They have no values yet. */
    setLooks(looks: readonly IndicatorLook[]): void {
      for (const { series } of drawn) chart.removeSeries(series);
      const firstPane = chart.panes().length;
      const panes = [...new Set(looks.flatMap(({ pane }) => pane ?? []))];
      drawn = looks.map((look, index) => {
        const paneIndex = look.pane === null ? 0 : firstPane + panes.indexOf(look.pane);
        return { look, series: add(look, index, paneIndex) };
      });
      shareHeight(chart);
    },
    setValues(store: BarStore): void {
      for (const { look, series } of drawn) {
        const values = store.getValues(look.name);
        series.setData(
          store.bars.map(([timeMs], index) => {
            const value = values[index] ?? null;
            return value === null ? { time: toChartTime(timeMs) } : { time: toChartTime(timeMs), value };
          }),
        );
      }
    },
  };
}

/** The colour of an indicator by its place in the list. */
function getLineColour({ lines, ink }: Pick<ChartColours, "lines" | "ink">, index: number): string {
  return lines[index % lines.length] ?? ink;
}
