import type {
  IChartApiBase,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  Logical,
  Time,
} from "lightweight-charts";
import { type ChartColours, fade } from "@/features/symbols/chart-colours";
import type { ChartEvent, SessionBand, WireBar } from "@/features/symbols/types";
import { findLogical } from "@/features/symbols/view-range";
import type { Timeframe } from "@/lib/market/timeframe";

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];
type Candles = ISeriesApi<"Candlestick">;

/** The usual range of a symbol after a release. */
export interface UsualRange {
  /** The release: UTC milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** How far it reaches up and down, as a difference of prices. */
  readonly reach: number;
  /** The price in its middle; null for the newest one. */
  readonly centre: number | null;
  readonly label: string;
}

/**
 * The hours of sessions behind the bars, a flag at the foot for each economic event, and bands of usual ranges. They do not
 * change the scale of prices.
 */
export function createMarks(chart: IChartApiBase, candles: Candles, timeframe: Timeframe, colours: ChartColours) {
  const axis = createAxis(chart, timeframe);
  const bands = createBands(axis, colours);
  const flags = createFlags(chart, axis, colours);
  const ranges = createRanges(candles, axis, colours);
  let requestUpdate = (): void => {};

  const drawBehind = (target: Target): void => {
    bands.draw(target);
    ranges.draw(target);
  };
  const behind: IPrimitivePaneView = { zOrder: () => "bottom", renderer: () => ({ draw: drawBehind }) };
  const front: IPrimitivePaneView = { zOrder: () => "top", renderer: () => ({ draw: flags.draw }) };
  const views = [behind, front];
  const primitive: ISeriesPrimitive<Time> = {
    attached: (parameters) => (requestUpdate = parameters.requestUpdate),
    paneViews: () => views,
  };
  candles.attachPrimitive(primitive);

  return {
    setBars: axis.setBars,
    addBar: axis.addBar,
    set(next: { readonly bands: readonly SessionBand[]; readonly events: readonly ChartEvent[] }): void {
      bands.set(next.bands);
      flags.set(next.events);
      requestUpdate();
    },
    /** Draws the bands of usual ranges. */
    setRanges(next: readonly UsualRange[]): void {
      if (ranges.set(next)) requestUpdate();
    },
    findFlag: flags.find,
  };
}

type Axis = ReturnType<typeof createAxis>;

/** Where moments lie among the bars of the chart. */
function createAxis(chart: IChartApiBase, timeframe: Timeframe) {
  let times: number[] = [];
  let price: number | null = null;

  const indexToX = (index: number | null): number | null =>
    index === null ? null : chart.timeScale().logicalToCoordinate(index as Logical);

  return {
    setBars(bars: readonly WireBar[]): void {
      times = bars.map(([timeMs]) => timeMs);
      price = bars.at(-1)?.[4] ?? null;
    },
    addBar([timeMs, , , , close]: WireBar): void {
      if (timeMs > (times.at(-1) ?? -Infinity)) times.push(timeMs);
      price = close;
    },
    /** The newest price. */
    getPrice: () => price,
    indexToX,
    /** The library has the places of whole bars only. */
    toX(ms: number): number | null {
      const logical = findLogical(times, ms, timeframe);
      if (logical === null) return null;
      const index = Math.floor(logical);
      const [from, to] = [indexToX(index), indexToX(index + 1)];
      return from === null || to === null ? null : from + (to - from) * (logical - index);
    },
    /** The bar that was open at a moment, counted from the first. */
    toIndex(ms: number): number | null {
      const logical = findLogical(times, ms, timeframe);
      return logical === null ? null : Math.floor(logical);
    },
  };
}

const BAND_HEIGHT = 3;

/** The hours of sessions. */
function createBands({ toX }: Axis, colours: ChartColours) {
  let bands: readonly SessionBand[] = [];
  return {
    set(next: readonly SessionBand[]): void {
      bands = next;
    },
    draw: (target: Target): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        for (const { name, fromMs, untilMs, row } of bands) {
          const [from, until] = [toX(fromMs), toX(untilMs)];
          if (from === null || until === null || until < 0 || from > mediaSize.width) continue;
          context.fillStyle = fade(colours[name], 0.05);
          context.fillRect(from, 0, until - from, mediaSize.height);
          context.fillStyle = fade(colours[name], 0.85);
          context.fillRect(from, mediaSize.height - (row + 1) * (BAND_HEIGHT + 1), until - from, BAND_HEIGHT);
        }
      }),
  };
}

const FLAG_SIZE = 5;
/** Above the colours of the four sessions. */
const FLAG_BOTTOM = 20;
/** How far from a flag a finger may be, in pixels. */
const TOUCH_REACH = 20;
const IMPACT_TOKENS = { high: "down", medium: "warn", low: "faint" } as const;

/** A flag stands at the bar that was open at its event. */
function createFlags(chart: IChartApiBase, { indexToX, toIndex }: Axis, colours: ChartColours) {
  let events: readonly ChartEvent[] = [];
  return {
    set(next: readonly ChartEvent[]): void {
      events = next;
    },
    /** The bar whose flag is at a place of the pane of prices, counted from the first; null without one. */
    find({ x, y }: { readonly x: number; readonly y: number }): number | null {
      const { height } = chart.paneSize(0);
      if (y > height || y < height - FLAG_BOTTOM - FLAG_SIZE - TOUCH_REACH) return null;
      let [nearest, least]: [index: number | null, distance: number] = [null, TOUCH_REACH];
      for (const { timeMs } of events) {
        const index = toIndex(timeMs);
        const at = indexToX(index);
        if (at === null || Math.abs(at - x) >= least) continue;
        [nearest, least] = [index, Math.abs(at - x)];
      }
      return nearest;
    },
    draw: (target: Target): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) => {
        for (const { timeMs, impact } of events) {
          const x = indexToX(toIndex(timeMs));
          if (x === null || x < 0 || x > mediaSize.width) continue;
          const y = mediaSize.height - FLAG_BOTTOM - FLAG_SIZE;
          context.beginPath();
          context.moveTo(x, y - FLAG_SIZE);
          context.lineTo(x + FLAG_SIZE, y);
          context.lineTo(x, y + FLAG_SIZE);
          context.lineTo(x - FLAG_SIZE, y);
          context.closePath();
          context.fillStyle = colours[IMPACT_TOKENS[impact]];
          context.strokeStyle = colours.bg;
          context.lineWidth = 1.5;
          context.stroke();
          context.fill();
        }
      }),
  };
}

/** Half an hour is less than a pixel of long bars. */
const LEAST_RANGE_WIDTH = 6;
const LABEL_GAP = 4;
const LABEL_TOP = 14;

/**
 * Bands from a release on. They are drawn with each frame of the chart and cause none: a band around the newest price moves
 * with the frame that draws the price.
 */
function createRanges(candles: Candles, { toX, getPrice }: Axis, colours: ChartColours) {
  let ranges: readonly UsualRange[] = [];

  function drawOne(context: CanvasRenderingContext2D, range: UsualRange, width: number, height: number): void {
    const middle = range.centre ?? getPrice();
    const [from, until] = [toX(range.fromMs), toX(range.untilMs)];
    if (middle === null || from === null || until === null) return;
    const [top, bottom] = [
      candles.priceToCoordinate(middle + range.reach),
      candles.priceToCoordinate(middle - range.reach),
    ];
    const length = Math.max(until - from, LEAST_RANGE_WIDTH);
    if (top === null || bottom === null || from > width || from + length < 0) return;
    context.fillStyle = fade(colours.warn, 0.12);
    context.fillRect(from, top, length, bottom - top);
    context.strokeStyle = fade(colours.warn, 0.9);
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    for (const y of [top, bottom]) {
      context.moveTo(from, Math.round(y) + 0.5);
      context.lineTo(from + length, Math.round(y) + 0.5);
    }
    context.moveTo(Math.round(from) + 0.5, 0);
    context.lineTo(Math.round(from) + 0.5, height);
    context.stroke();
    context.setLineDash([]);
    context.font = `11px ${colours.fontFamily}`;
    context.textBaseline = "bottom";
    context.fillStyle = colours.dim;
    const size = context.measureText(range.label).width;
    const isRight = from + LABEL_GAP + size <= width;
    context.fillText(
      range.label,
      isRight ? from + LABEL_GAP : from - LABEL_GAP - size,
      Math.max(top - LABEL_GAP, LABEL_TOP),
    );
  }

  return {
    /** Returns whether anything is to be drawn otherwise. */
    set(next: readonly UsualRange[]): boolean {
      if (next.length === 0 && ranges.length === 0) return false;
      ranges = next;
      return true;
    },
    draw: (target: Target): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
        for (const range of ranges) drawOne(context, range, width, height);
      }),
  };
}
