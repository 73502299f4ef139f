import type { Logical } from "lightweight-charts";
import type { ChartColours } from "@/features/symbols/chart-colours";
import type { Frame, Place } from "@/features/symbols/drawings/geometry";
import type { KnownDrawing } from "@/features/symbols/drawings/kinds";
import { findMagnet } from "@/features/symbols/drawings/measures";
import type { Scene } from "@/features/symbols/scene";
import type { SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { DrawingPoint } from "@/lib/access/drawing";
import { TimeAxis } from "@/lib/market/time-axis";
import type { Timeframe } from "@/lib/market/timeframe";

/** A chart to draw on, and the bars that it shows. */
export interface DeskChart {
  readonly scene: Pick<Scene, "chart" | "candles" | "removed">;
  readonly timeframe: Timeframe;
  readonly colours: ChartColours;
  getBars(): readonly WireBar[];
}

/** A movement by the arrow keys: in bars, and upwards in shares of the height. */
export interface KeyStep {
  readonly bars: number;
  readonly share: number;
}

/** Pixels within which the magnet draws a point to a price of its bar. */
const MAGNET_REACH = 24;
/** The width of a new position in bars, and its stop in shares of the height. */
const POSITION = { bars: 24, stop: 0.1 } as const;

/** Converts between places on a chart and moments with prices. */
export class ChartSurface {
  readonly #chart: DeskChart;
  readonly #instrument: SymbolInstrument;
  readonly #axis: TimeAxis;
  readonly #measureText: Frame["measureText"];

  constructor(chart: DeskChart, instrument: SymbolInstrument, measureText: Frame["measureText"]) {
    this.#chart = chart;
    this.#instrument = instrument;
    this.#axis = new TimeAxis(chart.timeframe, instrument.tradingHours);
    this.#measureText = measureText;
  }

  /** The opening of the first loaded bar; Infinity without bars. */
  get firstMs(): number {
    return this.#axis.firstMs;
  }

  toY(price: number): number {
    return this.#chart.scene.candles.priceToCoordinate(price) ?? NaN;
  }

  #toPrice(y: number, fallback: number): number {
    const price = this.#chart.scene.candles.coordinateToPrice(y);
    return price === null ? fallback : this.#round(price);
  }

  /** Prices are kept with one more digit than the instrument has. */
  #round(price: number): number {
    return Number(price.toFixed(this.#instrument.digits + 1));
  }

  /** The pixels of the first bar and of a bar's width. All others follow: asking for each would cost more than drawing. */
  #readScale(): { readonly zero: number; readonly width: number } | null {
    this.#axis.update(this.#chart.getBars());
    const scale = this.#chart.scene.chart.timeScale();
    const [zero, one] = [scale.logicalToCoordinate(0 as Logical), scale.logicalToCoordinate(1 as Logical)];
    return this.#axis.isEmpty || zero === null || one === null ? null : { zero, width: one - zero };
  }

  /** The pane of the prices as it is now; null while it has no bars. */
  readFrame(): Frame | null {
    const scale = this.#readScale();
    if (scale === null) return null;
    return {
      ...this.#chart.scene.chart.paneSize(0),
      facts: this.#instrument,
      toX: (ms) => scale.zero + this.#axis.toLogical(ms) * scale.width,
      toY: (price) => this.toY(price),
      toLogical: (ms) => this.#axis.toLogical(ms),
      measureText: this.#measureText,
    };
  }

  /** The place of an event in the pane of the prices, and whether it lies inside of it. */
  readPlace(event: MouseEvent): { readonly place: Place; readonly isInside: boolean } | null {
    const { chart } = this.#chart.scene;
    const pane = chart.panes()[0]?.getHTMLElement();
    if (pane === null || pane === undefined) return null;
    const { left, top } = pane.getBoundingClientRect();
    const { width, height } = chart.paneSize(0);
    const place = { x: event.clientX - left, y: event.clientY - top };
    return { place, isInside: place.x >= 0 && place.y >= 0 && place.x <= width && place.y <= height };
  }

  /** The price at a height; null without one. */
  readPrice(y: number): number | null {
    const price = this.#toPrice(y, NaN);
    return Number.isNaN(price) ? null : price;
  }

  /** The newest bar's opening and close; null without bars. */
  readNewest(): DrawingPoint | null {
    const bar = this.#chart.getBars().at(-1);
    return bar === undefined ? null : [bar[0], bar[4]];
  }

  /** The moment and price of a place wherever it is, between bars too. */
  toFreePoint({ x, y }: Place): DrawingPoint {
    const scale = this.#readScale();
    if (scale === null) return [NaN, NaN];
    return [Math.round(this.#axis.toMs((x - scale.zero) / scale.width)), this.#toPrice(y, NaN)];
  }

  /**
   * The point at a place: on the nearest bar, and with the magnet at the nearest of its prices. With `levelWith`, it is at
   * the price or at the moment of another point, whichever is farther away.
   */
  toPoint(
    place: Place,
    { isMagnetic, levelWith }: { isMagnetic: boolean; levelWith: DrawingPoint | null },
  ): DrawingPoint {
    const scale = this.#readScale();
    if (scale === null) return [NaN, NaN];
    const index = Math.round((place.x - scale.zero) / scale.width);
    const [ms, price] = [this.#axis.toMs(index), this.#toPrice(place.y, NaN)];
    if (levelWith !== null) {
      const x = scale.zero + this.#axis.toLogical(levelWith[0]) * scale.width;
      const isWide = Math.abs(place.x - x) >= Math.abs(place.y - this.toY(levelWith[1]));
      return isWide ? [ms, levelWith[1]] : [levelWith[0], price];
    }
    const bar = this.#chart.getBars()[index];
    if (!isMagnetic || bar === undefined) return [ms, price];
    const reach = Math.abs(price - this.#toPrice(place.y + MAGNET_REACH, price));
    return [ms, findMagnet(bar, price, reach) ?? price];
  }

  /** Moves a point by bars and by pixels downwards. */
  shift([ms, price]: DrawingPoint, bars: number, down: number): DrawingPoint {
    const moved = bars === 0 ? ms : Math.round(this.#axis.toMs(this.#axis.toLogical(ms) + bars));
    return [moved, down === 0 ? price : this.#toPrice(this.toY(price) + down, price)];
  }

  /** Moves a point by a step of the keys, from bar to bar. */
  step(point: DrawingPoint, { bars, share }: KeyStep): DrawingPoint {
    this.#readScale();
    const { height } = this.#chart.scene.chart.paneSize(0);
    return this.shift(point, bars, -share * height);
  }

  /** Moves a drawing by pixels. All its points move by the same number of bars, so that its shape stays. */
  moveWhole(drawing: KnownDrawing, by: Place): KnownDrawing {
    const scale = this.#readScale();
    if (scale === null) return drawing;
    const bars = drawing.kind === "brush" ? by.x / scale.width : Math.round(by.x / scale.width);
    return { ...drawing, points: drawing.points.map((point) => this.shift(point, bars, by.y)) };
  }

  /** The points of a new position at an entry: its stop a tenth of the height away, its target twice as far. */
  openPosition(entry: DrawingPoint, isLong: boolean): readonly DrawingPoint[] {
    const { height } = this.#chart.scene.chart.paneSize(0);
    const way = (isLong ? 1 : -1) * POSITION.stop * height;
    const risk = entry[1] - this.#toPrice(this.toY(entry[1]) + way, entry[1]);
    const [endMs] = this.shift(entry, POSITION.bars, 0);
    return [entry, [endMs, this.#round(entry[1] + 2 * risk)], [endMs, this.#round(entry[1] - risk)]];
  }
}
