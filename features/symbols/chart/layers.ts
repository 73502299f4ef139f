import { HistogramSeries, type IChartApiBase, type IPriceLine, type ISeriesApi, LineStyle } from "lightweight-charts";
import { toChartTime } from "@/features/symbols/chart/chart-time";
import { type ChartColours, fade } from "@/features/symbols/chart/colours";
import type { PageQuote, WireBar } from "@/features/symbols/types";

/** The number of price updates of each bar, at the foot of the prices. */
export function createVolume(chart: IChartApiBase, colours: ChartColours) {
  let series: ISeriesApi<"Histogram"> | null = null;
  const toColumn = ([timeMs, open, , , close, volume]: WireBar) => ({
    time: toChartTime(timeMs),
    value: volume,
    color: fade(close >= open ? colours.up : colours.down, 0.28),
  });
  return {
    setBars: (bars: readonly WireBar[]) => series?.setData(bars.map(toColumn)),
    update: (bar: WireBar) => series?.update(toColumn(bar)),
    show(isShown: boolean, bars: readonly WireBar[]): void {
      if (isShown === (series !== null)) return;
      if (series !== null) {
        chart.removeSeries(series);
        series = null;
        return;
      }
      series = chart.addSeries(HistogramSeries, {
        priceScaleId: "volume",
        priceFormat: { type: "volume" },
        lastValueVisible: false,
        priceLineVisible: false,
      });
      series.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
      series.setData(bars.map(toColumn));
      series.setSeriesOrder(0);
    },
  };
}

/** A line at the newest price, with the time that its bar has left. The library's own follows the newest bar in view. */
export function createLastPriceLine(candles: ISeriesApi<"Candlestick">, colours: ChartColours) {
  let line: IPriceLine | null = null;
  let title = "";
  return {
    setBar([, open, , , price]: WireBar): void {
      const color = price >= open ? colours.up : colours.down;
      if (line !== null) line.applyOptions({ price, color });
      else line = candles.createPriceLine({ price, color, title, lineWidth: 1, lineStyle: LineStyle.Dashed });
    },
    setTitle(text: string): void {
      title = text;
      line?.applyOptions({ title });
    },
  };
}

/** Lines at the bid and the ask. */
export function createQuoteLines(candles: ISeriesApi<"Candlestick">, colours: ChartColours) {
  let shown: { readonly bid: IPriceLine; readonly ask: IPriceLine } | null = null;
  return {
    /** Null hides the lines. */
    set(quote: PageQuote | null): void {
      if (quote === null) {
        if (shown !== null) for (const line of [shown.bid, shown.ask]) candles.removePriceLine(line);
        shown = null;
        return;
      }
      const look = { lineWidth: 1, lineStyle: LineStyle.Dotted, axisLabelVisible: true } as const;
      shown ??= {
        bid: candles.createPriceLine({ ...look, price: quote.bid, color: colours.accent, title: "Bid" }),
        ask: candles.createPriceLine({ ...look, price: quote.ask, color: colours.dim, title: "Ask" }),
      };
      shown.bid.applyOptions({ price: quote.bid });
      shown.ask.applyOptions({ price: quote.ask });
    },
  };
}
