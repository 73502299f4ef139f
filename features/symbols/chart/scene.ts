import {
  CandlestickSeries,
  ColorType,
  createChartEx,
  CrosshairMode,
  type IHorzScaleBehavior,
  type ISeriesApi,
  LineSeries,
  PriceScaleMode,
  type TickMarkType,
  type Time,
} from "lightweight-charts";
import type { BarStore } from "@/features/symbols/bars/bar-store";
import {
  type ChartClock,
  createChartClock,
  formatChartTime,
  toChartTime,
  toMs,
} from "@/features/symbols/chart/chart-time";
import { type ChartColours, fade } from "@/features/symbols/chart/colours";
import { createIndicatorLines } from "@/features/symbols/chart/indicator-lines";
import { createLastPriceLine, createQuoteLines, createVolume } from "@/features/symbols/chart/layers";
import { createMarks } from "@/features/symbols/chart/marks";
import { createSpreadPane } from "@/features/symbols/chart/panes";
import { createZonedScale, formatMark } from "@/features/symbols/chart/zoned-scale";
import type { SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { Timeframe } from "@/lib/market/timeframe";

export interface SceneOptions {
  readonly instrument: Pick<SymbolInstrument, "digits">;
  readonly timeframe: Timeframe;
  /** The IANA zone of the times on the axis. */
  readonly zone: string;
  readonly colours: ChartColours;
  /** A phone has thinner bars, and its vertical drags scroll the page. */
  readonly isPhone: boolean;
}

export type Scene = ReturnType<typeof createScene>;

/** Draws the chart into `container` and returns the functions that change it. */
export function createScene(container: HTMLElement, options: SceneOptions) {
  const { instrument, timeframe, colours } = options;
  const clock = createChartClock(timeframe, options.zone);
  const chart = createChartEx<Time, IHorzScaleBehavior<Time>>(
    container,
    createZonedScale(clock),
    createOptions(options, clock),
  );
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: colours.up,
    downColor: colours.down,
    wickUpColor: colours.up,
    wickDownColor: colours.down,
    borderVisible: false,
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: "price", precision: instrument.digits, minMove: 10 ** -instrument.digits },
  });
  const marks = createMarks(chart, candles, timeframe, colours);
  const lines = createIndicatorLines(chart, colours);
  const volume = createVolume(chart, colours);
  const lastPrice = createLastPriceLine(candles, colours);
  const quotes = createQuoteLines(candles, colours);
  const spread = createSpreadPane(chart, colours);
  let compared: ISeriesApi<"Line"> | null = null;

  return {
    chart,
    candles,
    marks,
    lines,
    /** Draws all bars again. The view stays where it is. */
    setBars(store: BarStore): void {
      candles.setData(store.bars.map(toCandle));
      volume.setBars(store.bars);
      marks.setTimes(store.bars.map(([timeMs]) => timeMs));
      lines.setValues(store);
      const newest = store.bars.at(-1);
      if (newest !== undefined) lastPrice.setBar(newest);
    },
    /** Draws the newest bar again, or for the first time. */
    updateNewest(store: BarStore, bar: WireBar): void {
      candles.update(toCandle(bar));
      volume.update(bar);
      lastPrice.setBar(bar);
      marks.addTime(store.bars.at(-1)?.[0] ?? bar[0]);
    },
    setVolume: (isShown: boolean, bars: readonly WireBar[]) => volume.show(isShown, bars),
    setQuote: quotes.set,
    setSpread: spread.set,
    /** Draws another symbol's closes, both in percent of the first shown bar. Null removes it. */
    setCompared(bars: readonly WireBar[] | null, symbol: string): void {
      if (bars === null) {
        if (compared !== null) chart.removeSeries(compared);
        compared = null;
      } else {
        compared ??= chart.addSeries(LineSeries, {
          color: colours.ink,
          lineWidth: 2,
          priceLineVisible: false,
          title: symbol,
        });
        compared.setData(bars.map(toPoint));
      }
      const mode = bars === null ? PriceScaleMode.Normal : PriceScaleMode.Percentage;
      chart.priceScale("right", 0).applyOptions({ mode });
    },
    updateCompared: (bar: WireBar) => compared?.update(toPoint(bar)),
    /** The text beside the last price: the time that its bar has left. */
    setCountdown: lastPrice.setTitle,
    showPoint: (bar: WireBar) => chart.setCrosshairPosition(bar[4], toChartTime(bar[0]), candles),
    clearPoint: () => chart.clearCrosshairPosition(),
    showNewest: () => chart.timeScale().scrollToPosition(chart.timeScale().options().rightOffset, false),
    takePicture: () => chart.takeScreenshot(true),
    getGround: () => ({ ink: colours.ink, ground: colours.bg }),
    remove: () => chart.remove(),
  };
}

function createOptions({ timeframe, zone, colours, isPhone }: SceneOptions, clock: ChartClock) {
  const isDaily = timeframe === "D1" || timeframe === "W1";
  const crosshairLine = { color: colours.faint, labelBackgroundColor: colours.edge } as const;
  return {
    autoSize: true,
    layout: {
      background: { type: ColorType.Solid, color: colours.bg },
      textColor: colours.dim,
      fontFamily: colours.fontFamily,
      fontSize: 11,
      panes: { separatorColor: colours.line, separatorHoverColor: fade(colours.accent, 0.3) },
      // Its style element has no nonce. The page names the library and its maker beside the chart.
      attributionLogo: false,
    },
    grid: { vertLines: { color: fade(colours.line, 0.5) }, horzLines: { color: fade(colours.line, 0.5) } },
    crosshair: { mode: CrosshairMode.Normal, vertLine: crosshairLine, horzLine: crosshairLine },
    rightPriceScale: { borderColor: colours.line, scaleMargins: { top: 0.12, bottom: 0.2 } },
    timeScale: {
      borderColor: colours.line,
      timeVisible: !isDaily,
      secondsVisible: false,
      rightOffset: isPhone ? 4 : 8,
      barSpacing: isPhone ? 6 : 8,
      minBarSpacing: 0.5,
      tickMarkFormatter: (time: Time, type: TickMarkType) => formatMark(clock(toMs(time)), type),
    },
    localization: { locale: "en-GB", timeFormatter: (time: Time) => formatChartTime(toMs(time), timeframe, zone) },
    handleScroll: { vertTouchDrag: !isPhone },
    kineticScroll: { touch: true, mouse: false },
  } as const;
}

function toCandle([timeMs, open, high, low, close]: WireBar) {
  return { time: toChartTime(timeMs), open, high, low, close };
}

function toPoint([timeMs, , , , close]: WireBar) {
  return { time: toChartTime(timeMs), value: close };
}
