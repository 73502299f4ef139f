import type { IPrimitivePaneRenderer, ISeriesPrimitiveAxisView } from "lightweight-charts";
import { type ChartColours, fade } from "@/features/symbols/chart-colours";
import {
  boxLabel,
  extend,
  type Frame,
  layOut,
  LINE_HEIGHT,
  type Place,
  type Shape,
  type Tone,
  toPlace,
} from "@/features/symbols/drawings/geometry";
import { COLOURS, type KnownDrawing, readStyle, type Style } from "@/features/symbols/drawings/kinds";
import type { PriceScaleFacts } from "@/features/symbols/drawings/measures";
import type { DrawingPoint } from "@/lib/access/drawing";
import { formatPrice } from "@/lib/market/price";

/** Paints drawings onto the canvas of a chart, in the colours of the theme. */

export interface Painted {
  readonly drawing: KnownDrawing;
  readonly isSelected: boolean;
  readonly isHovered: boolean;
  /** The point that the arrow keys move; null for none or all. */
  readonly point: number | null;
  /** The alert of the line; null for none. */
  readonly watch: Watch | null;
}

/** An alert of a drawn line. */
export interface Watch {
  readonly id: string;
  /** Whether it is on what follows the end of the line, too. */
  readonly isEndless: boolean;
}

interface Watched extends Pick<Painted, "drawing"> {
  readonly watch: Watch;
  readonly shapes: readonly Shape[];
  readonly style: Style;
  readonly colour: string;
}

type Target = Parameters<IPrimitivePaneRenderer["draw"]>[0];

const AREA_OPACITY = 0.1;
const POINT_RADIUS = 4.5;
const FONT_SIZE = { small: 11, large: 14 } as const;
const DASH_LENGTHS = { solid: [], dashed: [6, 4], dotted: [1.5, 3.5] } as const;
const BELL_SIZE = 13;
/** In a square of 24 units. */
const BELL =
  "M10.3 21a2 2 0 0 0 3.4 0M3.3 15.3A1 1 0 0 0 4 17h16a1 1 0 0 0 .7-1.7C19.4 14 18 12.5 18 8A6 6 0 0 0 6 8c0 4.5-1.4 6-2.7 7.3";
/** Widths of texts that are remembered; figures change with every price. */
const MOST_WIDTHS = 2_000;

/** The colour of a drawing in the theme of these colours. */
function toColour({ lines, ink }: Pick<ChartColours, "lines" | "ink">, name: string): string {
  if (name.startsWith("#")) {
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(name.slice(at, at + 2), 16));
    return `rgb(${red}, ${green}, ${blue})`;
  }
  return lines[COLOURS.findIndex((each) => each === name)] ?? ink;
}

export class DrawingPainter {
  readonly #colours: ChartColours;
  readonly #ruler = document.createElement("canvas").getContext("2d");
  readonly #widths = new Map<string, number>();

  constructor(colours: ChartColours) {
    this.#colours = colours;
  }

  measureText(text: string, isLarge: boolean): number {
    const key = `${isLarge ? "L" : "S"}${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined || this.#ruler === null) return known ?? 0;
    if (this.#widths.size > MOST_WIDTHS) this.#widths.clear();
    this.#ruler.font = this.#getFont(isLarge);
    const { width } = this.#ruler.measureText(text);
    this.#widths.set(key, width);
    return width;
  }

  #getFont(isLarge: boolean): string {
    return `${FONT_SIZE[isLarge ? "large" : "small"]}px ${this.#colours.fontFamily}`;
  }

  paint(target: Target, frame: Frame, painted: readonly Painted[], cursor: DrawingPoint | null): void {
    target.useMediaCoordinateSpace(({ context }) => {
      context.lineCap = "round";
      context.lineJoin = "round";
      for (const each of painted) this.#paintOne(context, frame, each);
      if (cursor !== null) this.#paintCursor(context, frame, toPlace(frame, cursor));
    });
  }

  #paintOne(context: CanvasRenderingContext2D, frame: Frame, painted: Painted): void {
    const { drawing, isSelected, isHovered, point, watch } = painted;
    const shapes = layOut(drawing, frame);
    const style = readStyle(drawing);
    const colour = toColour(this.#colours, style.colour);
    if (watch !== null) this.#paintWatch(context, frame, { drawing, watch, shapes, style, colour });
    if (shapes.length === 0) return;
    const isStrong = isSelected || isHovered;
    for (const shape of shapes) {
      if (shape.type === "area") this.#fill(context, shape, colour, isStrong);
      else if (shape.type === "label") this.#write(context, shape, colour, frame);
      else this.#stroke(context, shape, style, colour);
    }
    if (!isStrong || (drawing.kind === "brush" && !isSelected)) return;
    const points = drawing.kind === "brush" ? [drawing.points[0], drawing.points.at(-1)] : drawing.points;
    for (const [at, each] of points.entries()) {
      if (each === undefined) continue;
      const { x, y } = toPlace(frame, each);
      context.beginPath();
      context.arc(x, y, at === point ? POINT_RADIUS + 2 : POINT_RADIUS, 0, 2 * Math.PI);
      context.fillStyle = at === point ? colour : this.#colours.bg;
      context.strokeStyle = colour;
      context.lineWidth = 1.5;
      context.setLineDash([]);
      context.fill();
      context.stroke();
    }
  }

  #toneOf(shape: { readonly tone?: Tone }, colour: string): string {
    return shape.tone === undefined || shape.tone === null ? colour : this.#colours[shape.tone];
  }

  #stroke(
    context: CanvasRenderingContext2D,
    shape: Extract<Shape, { type: "line" | "path" }>,
    { width, dash }: Style,
    colour: string,
  ): void {
    const isFine = shape.type === "line" && shape.isFine === true;
    context.strokeStyle = shape.type === "line" ? this.#toneOf(shape, colour) : colour;
    context.lineWidth = isFine ? Math.max(1, width - 1) : width;
    const dashes = DASH_LENGTHS[isFine && dash === "solid" && shape.tone === "faint" ? "dashed" : dash];
    context.setLineDash(dashes);
    // Round ends of each dash take twice the time of flat ones.
    context.lineCap = dashes.length === 0 ? "round" : "butt";
    context.globalAlpha = isFine ? 0.75 : 1;
    context.beginPath();
    const places = shape.type === "line" ? [shape.from, shape.to] : shape.places;
    tracePlaces(context, places, context.lineWidth % 2 === 1 && shape.type === "line");
    context.stroke();
    context.globalAlpha = 1;
  }

  #fill(context: CanvasRenderingContext2D, shape: Extract<Shape, { type: "area" }>, colour: string, isStrong: boolean) {
    const tone = this.#toneOf(shape, colour);
    context.fillStyle = shape.isSolid === true ? tone : fade(tone, isStrong ? AREA_OPACITY * 1.5 : AREA_OPACITY);
    // Without a graphics card, a rectangle between pixels costs several times one on whole pixels.
    if (isBox(shape.places)) {
      const [from, , to] = shape.places;
      const [left, top] = [Math.round(Math.min(from.x, to.x)), Math.round(Math.min(from.y, to.y))];
      const [right, bottom] = [Math.round(Math.max(from.x, to.x)), Math.round(Math.max(from.y, to.y))];
      context.fillRect(left, top, right - left, bottom - top);
      return;
    }
    context.beginPath();
    tracePlaces(context, shape.places, false);
    context.closePath();
    context.fill();
  }

  #write(context: CanvasRenderingContext2D, shape: Extract<Shape, { type: "label" }>, colour: string, frame: Frame) {
    const { x, y, width, height } = boxLabel(shape, frame.measureText);
    if (x > frame.width || x + width < 0 || y > frame.height || y + height < 0) return;
    const isLarge = shape.isLarge === true;
    const tone = this.#toneOf(shape, colour);
    if (shape.isBoxed === true) {
      context.fillStyle = this.#colours.raised;
      context.strokeStyle = tone;
      context.lineWidth = 1;
      context.setLineDash([]);
      context.beginPath();
      context.roundRect(x, y, width, height, 4);
      context.fill();
      context.stroke();
    }
    context.font = this.#getFont(isLarge);
    context.textBaseline = "middle";
    context.fillStyle = shape.isBoxed === true ? this.#colours.ink : tone;
    const lineHeight = LINE_HEIGHT[isLarge ? "large" : "small"];
    const top = y + (height - shape.lines.length * lineHeight) / 2;
    for (const [at, line] of shape.lines.entries()) {
      const room = width - frame.measureText(line, isLarge);
      const left = shape.side === "centre" ? x + room / 2 : shape.side === "right" ? x + room - 2 : x + 2;
      context.fillText(line, left, top + (at + 0.5) * lineHeight);
    }
  }

  /** The bell of a line with an alert, at its right end in view, and the way of a trend line beyond its end. */
  #paintWatch(
    context: CanvasRenderingContext2D,
    frame: Frame,
    { drawing, watch, shapes, style, colour }: Watched,
  ): void {
    const places = drawing.points.map((each) => toPlace(frame, each)).toSorted((one, other) => one.x - other.x);
    const [from, to] = [places[0], places.at(-1)];
    let line = shapes.find((shape) => shape.type === "line");
    if (watch.isEndless && drawing.kind === "trend-line" && from !== undefined && to !== undefined) {
      const beyond = { x: 2 * to.x - from.x, y: 2 * to.y - from.y };
      const rest = to.x > from.x ? extend(to, beyond, { after: true }, frame) : null;
      if (rest !== null) {
        line = { type: "line", ...rest };
        this.#stroke(context, line, { ...style, dash: "dashed" }, colour);
      }
    }
    if (line === undefined) return;
    const [left, right] = line.from.x <= line.to.x ? [line.from, line.to] : [line.to, line.from];
    const isCaptioned = drawing.kind === "horizontal-line" && typeof drawing.text === "string" && drawing.text !== "";
    const x = isCaptioned ? BELL_SIZE : Math.min(right.x, frame.width - BELL_SIZE);
    const share = right.x === left.x ? 0 : (x - left.x) / (right.x - left.x);
    const y = left.y + share * (right.y - left.y) - BELL_SIZE;
    context.save();
    context.translate(x - BELL_SIZE / 2, Math.max(BELL_SIZE / 2, y) - BELL_SIZE / 2);
    context.fillStyle = this.#colours.bg;
    context.beginPath();
    context.arc(BELL_SIZE / 2, BELL_SIZE / 2, BELL_SIZE * 0.65, 0, 2 * Math.PI);
    context.fill();
    context.scale(BELL_SIZE / 24, BELL_SIZE / 24);
    context.strokeStyle = colour;
    context.lineWidth = 2.2;
    context.setLineDash([]);
    context.stroke(new Path2D(BELL));
    context.restore();
  }

  /** The cross that the arrow keys move. */
  #paintCursor(context: CanvasRenderingContext2D, { width, height }: Frame, { x, y }: Place): void {
    context.strokeStyle = this.#colours.ink;
    context.lineWidth = 1;
    context.setLineDash([3, 3]);
    context.beginPath();
    tracePlaces(
      context,
      [
        { x: 0, y },
        { x: width, y },
      ],
      true,
    );
    tracePlaces(
      context,
      [
        { x, y: 0 },
        { x, y: height },
      ],
      true,
    );
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.stroke();
  }

  /** The prices of horizontal lines, and of the points of the selected drawing, on the price axis. */
  listAxisLabels(
    painted: readonly Painted[],
    toY: (price: number) => number,
    { digits }: PriceScaleFacts,
  ): ISeriesPrimitiveAxisView[] {
    return painted.flatMap(({ drawing, isSelected }) => {
      if (drawing.kind !== "horizontal-line" && !isSelected) return [];
      const backColor = toColour(this.#colours, readStyle(drawing).colour);
      const points = drawing.kind === "brush" || drawing.kind === "vertical-line" ? [] : drawing.points;
      return points.map(([, price]) => ({
        coordinate: () => toY(price),
        text: () => formatPrice(price, digits),
        textColor: () => this.#colours.bg,
        backColor: () => backColor,
        visible: () => Number.isFinite(toY(price)),
      }));
    });
  }
}

/** Whether an outline is a level rectangle. */
function isBox(places: readonly Place[]): places is readonly [Place, Place, Place, Place] {
  const [one, two, three, four] = places;
  if (places.length !== 4 || !one || !two || !three || !four) return false;
  return one.y === two.y && two.x === three.x && three.y === four.y && four.x === one.x;
}

/** Adds lines between places to the path. Thin upright and level lines are sharp in the middle of a pixel. */
function tracePlaces(context: CanvasRenderingContext2D, places: readonly Place[], isSharp: boolean): void {
  for (const [at, { x, y }] of places.entries()) {
    const other = places[at === 0 ? 1 : at - 1];
    const left = isSharp && other?.x === x ? Math.round(x) + 0.5 : x;
    const top = isSharp && other?.y === y ? Math.round(y) + 0.5 : y;
    if (at === 0) context.moveTo(left, top);
    else context.lineTo(left, top);
  }
}
