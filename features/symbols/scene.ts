import {
  AreaSeries,
  BarSeries,
  type CandlestickData,
  CandlestickSeries,
  ColorType,
  createChartEx,
  CrosshairMode,
  defaultHorzScaleBehavior,
  HistogramSeries,
  type IChartApiBase,
  type IHorzScaleBehavior,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  PriceScaleMode,
  TickMarkType,
  type Time,
} from "lightweight-charts";
import type { BarStore } from "@/features/symbols/bar-store";
import { type ChartColours, fade } from "@/features/symbols/chart-colours";
import { type ChartClock, createChartClock, formatChartTime, toChartTime, toMs } from "@/features/symbols/chart-time";
import { createMarks } from "@/features/symbols/scene-marks";
import type { IndicatorLook, PageQuote, SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { ChartStyle, PriceScale } from "@/features/symbols/url";
import { getUsualBarMs, isDayOrLonger, type Timeframe } from "@/lib/market/timeframe";
import { MINUTE_MS } from "@/lib/time/units";

export interface SceneOptions {
  readonly instrument: Pick<SymbolInstrument, "digits">;
  readonly timeframe: Timeframe;
  readonly style: ChartStyle;
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
    lastValueVisible: false,
    priceLineVisible: false,
    priceFormat: { type: "price", precision: instrument.digits, minMove: 10 ** -instrument.digits },
  });
  const prices = createPrices(chart, candles, options);
  const marks = createMarks(chart, candles, timeframe, colours);
  const lines = createIndicatorLines(chart, colours);
  const volume = createVolume(chart, colours);
  const lastPrice = createLastPriceLine(candles, colours);
  const quotes = createQuoteLines(candles, colours);
  const spread = createSpreadPane(chart, colours);
  let compared: ISeriesApi<"Line"> | null = null;
  let scale: PriceScale = "linear";
  const applyScale = () => {
    const mode = compared === null ? SCALE_MODES[scale] : PriceScaleMode.Percentage;
    chart.priceScale("right", 0).applyOptions({ mode });
  };
  const removing = new AbortController();

  return {
    chart,
    candles,
    marks,
    lines,
    /** Draws all bars again. The view stays where it is. */
    setBars(store: BarStore): void {
      prices.setBars(store.bars);
      volume.setBars(store.bars);
      marks.setBars(store.bars);
      lines.setValues(store);
      const newest = store.bars.at(-1);
      if (newest !== undefined) lastPrice.setBar(newest);
    },
    /** Draws the newest bar again, or for the first time. */
    updateNewest(store: BarStore, bar: WireBar): void {
      prices.update(store.bars, bar);
      volume.update(bar);
      lastPrice.setBar(bar);
      marks.addBar(store.bars.at(-1) ?? bar);
    },
    /** Moves the line of the last price, for bricks. */
    setLastPrice: lastPrice.setBar,
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
      applyScale();
    },
    /** Chooses how prices are spaced. While another symbol is compared, it is percent. */
    setScale(next: PriceScale): void {
      scale = next;
      applyScale();
    },
    updateCompared: (bar: WireBar) => compared?.update(toPoint(bar)),
    /** The text beside the last price: the time that its bar has left. */
    setCountdown: lastPrice.setTitle,
    showPoint: (bar: WireBar) => chart.setCrosshairPosition(bar[4], toChartTime(bar[0]), candles),
    clearPoint: () => chart.clearCrosshairPosition(),
    showNewest: () => chart.timeScale().scrollToPosition(chart.timeScale().options().rightOffset, false),
    takePicture: () => chart.takeScreenshot(true),
    getGround: () => ({ ink: colours.ink, ground: colours.bg }),
    /** Aborted once the chart is removed, after which no method of it may be called. */
    removed: removing.signal,
    remove(): void {
      removing.abort();
      chart.remove();
    },
  };
}

function createOptions({ timeframe, zone, colours, isPhone }: SceneOptions, clock: ChartClock) {
  const isDaily = isDayOrLonger(timeframe);
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
      secondsVisible: getUsualBarMs(timeframe) < MINUTE_MS,
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

const SCALE_MODES: Readonly<Record<PriceScale, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
};

const CLEAR = "transparent";

/**
 * Draws the prices of the bars in a style. The candles have the prices in every style, because lines and marks are attached
 * to them; in those of other series they are transparent.
 */
function createPrices(chart: IChartApiBase, candles: ISeriesApi<"Candlestick">, { style, colours }: SceneOptions) {
  const { up, down, bg, accent } = colours;
  const shared = { lastValueVisible: false, priceLineVisible: false } as const;
  const line =
    style === "line"
      ? chart.addSeries(LineSeries, { ...shared, color: accent, lineWidth: 2 })
      : style === "area"
        ? chart.addSeries(AreaSeries, {
            ...shared,
            lineColor: accent,
            lineWidth: 2,
            topColor: fade(accent, 0.28),
            bottomColor: fade(accent, 0.02),
          })
        : null;
  const bars = style === "bars" ? chart.addSeries(BarSeries, { ...shared, upColor: up, downColor: down }) : null;
  const [rising, falling] = line === null && bars === null ? [up, down] : [CLEAR, CLEAR];
  candles.applyOptions({
    upColor: rising,
    downColor: falling,
    wickUpColor: rising,
    wickDownColor: falling,
    borderUpColor: rising,
    borderDownColor: falling,
    borderVisible: style === "hollow",
  });
  /** The averaged candle before the newest bar. */
  let before: CandlestickData<Time> | null = null;

  function toDrawn(bar: WireBar, previous: WireBar | undefined): CandlestickData<Time> {
    const candle = toCandle(bar);
    // A brick of the bar that is still filling.
    if (style === "renko" && bar[5] === 0) return { ...candle, color: fade(bar[4] >= bar[1] ? up : down, 0.45) };
    if (style !== "hollow") return candle;
    const colour = bar[4] >= (previous?.[4] ?? bar[1]) ? up : down;
    return { ...candle, color: bar[4] >= bar[1] ? bg : colour, borderColor: colour, wickColor: colour };
  }

  return {
    setBars(all: readonly WireBar[]): void {
      if (style === "heikin-ashi") {
        const averaged = toHeikinAshi(all);
        before = averaged.at(-2) ?? null;
        candles.setData(averaged);
      } else candles.setData(all.map((bar, at) => toDrawn(bar, all[at - 1])));
      bars?.setData(all.map(toCandle));
      line?.setData(all.map(toPoint));
    },
    /** Draws the newest bar, which is the last of `all`. */
    update(all: readonly WireBar[], bar: WireBar): void {
      if (style === "heikin-ashi") {
        if (before !== null && all.length > 1 && before.time !== toChartTime((all.at(-2) as WireBar)[0])) {
          before = averageCandle(all.at(-2) as WireBar, before);
        }
        candles.update(averageCandle(bar, before));
      } else candles.update(toDrawn(bar, all.at(-2)));
      bars?.update(toCandle(bar));
      line?.update(toPoint(bar));
    },
  };
}

/**
 * Heikin-Ashi candles, oldest first: close is the mean of a bar's four prices, open the middle of the body before, high and
 * low include both. The first opens in the middle of its bar's body. https://chartschool.stockcharts.com, "Heikin-Ashi"
 */
export function toHeikinAshi(bars: readonly WireBar[]): CandlestickData<Time>[] {
  let before: CandlestickData<Time> | null = null;
  return bars.map((bar) => (before = averageCandle(bar, before)));
}

function averageCandle(
  [timeMs, barOpen, barHigh, barLow, barClose]: WireBar,
  before: Pick<CandlestickData<Time>, "open" | "close"> | null,
): CandlestickData<Time> {
  const close = (barOpen + barHigh + barLow + barClose) / 4;
  const open = before === null ? (barOpen + barClose) / 2 : (before.open + before.close) / 2;
  return {
    time: toChartTime(timeMs),
    open,
    high: Math.max(barHigh, open, close),
    low: Math.min(barLow, open, close),
    close,
  };
}

function toCandle([timeMs, open, high, low, close]: WireBar) {
  return { time: toChartTime(timeMs), open, high, low, close };
}

function toPoint([timeMs, , , , close]: WireBar) {
  return { time: toChartTime(timeMs), value: close };
}

/** The number of price updates of each bar, at the foot of the prices. */
function createVolume(chart: IChartApiBase, colours: ChartColours) {
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
function createLastPriceLine(candles: ISeriesApi<"Candlestick">, colours: ChartColours) {
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
function createQuoteLines(candles: ISeriesApi<"Candlestick">, colours: ChartColours) {
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

type LineApi = ISeriesApi<"Line"> | ISeriesApi<"Histogram">;

/** The lines of the chosen indicators: over the prices, or each family in a pane below them. */
function createIndicatorLines(chart: IChartApiBase, colours: ChartColours) {
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

/** The mean spread of each bar in pips, in a pane below the prices. */
function createSpreadPane(chart: IChartApiBase, colours: ChartColours) {
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
function shareHeight(chart: IChartApiBase): void {
  for (const [index, pane] of chart.panes().entries()) {
    pane.setStretchFactor(index === 0 ? PRICE_STRETCH : 1);
    if (index > 0) pane.priceScale("right").applyOptions({ mode: PriceScaleMode.Normal });
  }
}

type Points = Parameters<IHorzScaleBehavior<Time>["fillWeightsForPoints"]>[0];

/**
 * Creates a time scale whose years, months, days and hours begin where they do on a clock. The library knows those of UTC
 * only. Bars stay at their UTC times, so that the hour that a clock change repeats has its own bars; only the marks are
 * chosen by the clock.
 */
export function createZonedScale(clock: ChartClock): IHorzScaleBehavior<Time> {
  class ZonedScale extends defaultHorzScaleBehavior() {
    override fillWeightsForPoints(points: Points, startIndex: number): void {
      // The weight of a point depends on the point before it.
      const first = Math.max(0, startIndex - 1);
      const shown = points.slice(first).map((point) => {
        const time = toChartTime(clock(Number(this.key(point.time)) * 1000));
        return { ...point, time: this.convertHorzItemToInternal(time) };
      });
      super.fillWeightsForPoints(shown, startIndex - first);
      for (const [index, { timeWeight }] of shown.entries()) {
        const point = points[first + index];
        if (point !== undefined && first + index >= startIndex) point.timeWeight = timeWeight;
      }
    }
  }
  return new ZonedScale();
}

const create = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });

const MARKS: Readonly<Record<TickMarkType, Intl.DateTimeFormat>> = {
  [TickMarkType.Year]: create({ year: "numeric" }),
  [TickMarkType.Month]: create({ month: "short" }),
  [TickMarkType.DayOfMonth]: create({ day: "numeric" }),
  [TickMarkType.Time]: create({ hour: "2-digit", minute: "2-digit" }),
  [TickMarkType.TimeWithSeconds]: create({ hour: "2-digit", minute: "2-digit", second: "2-digit" }),
};

/** Formats a mark on the time axis: "2026", "Nov", "22" or "13:05". */
export const formatMark = (shownMs: number, type: TickMarkType) => MARKS[type].format(shownMs);
