import { getKind, type KnownDrawing, readStyle, readText } from "@/features/symbols/drawings/kinds";
import {
  computeMeasure,
  computePosition,
  findExtensions,
  findRetracements,
  formatMeasure,
  formatPips,
  measureToLine,
  type PriceScaleFacts,
} from "@/features/symbols/drawings/measures";
import type { DrawingPoint } from "@/lib/access/drawing";
import { formatPrice } from "@/lib/market/price";

/** Lays drawings out as lines, areas and labels in pixels, which are drawn and hit alike. */

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The meaning of a part, which has a colour of the theme; null for that of the drawing. */
export type Tone = "up" | "down" | "faint" | null;

export type Shape =
  | { readonly type: "line"; readonly from: Place; readonly to: Place; readonly tone?: Tone; readonly isFine?: boolean }
  | { readonly type: "path"; readonly places: readonly Place[] }
  /** A filled outline. Without `isSolid` it is nearly transparent. */
  | { readonly type: "area"; readonly places: readonly Place[]; readonly tone?: Tone; readonly isSolid?: boolean }
  | {
      readonly type: "label";
      readonly at: Place;
      readonly lines: readonly string[];
      /** Which side of the text is at `at`. */
      readonly side: "left" | "right" | "centre";
      readonly rise: "above" | "below" | "middle";
      /** Whether it has a ground of its own. */
      readonly isBoxed?: boolean;
      readonly tone?: Tone;
      readonly isLarge?: boolean;
    };

/** The pane in which drawings are laid out. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly facts: PriceScaleFacts;
  /** Pixels from the left; NaN if the moment has no place. */
  toX(ms: number): number;
  /** Pixels from the top; NaN if the price has no place. */
  toY(price: number): number;
  /** Bars from the first loaded one. */
  toLogical(ms: number): number;
  /** The width of a text in pixels. */
  measureText(text: string, isLarge: boolean): number;
}

export const LINE_HEIGHT = { small: 15, large: 19 } as const;
const PADDING = 5;

export const toPlace = ({ toX, toY }: Frame, [ms, price]: DrawingPoint): Place => ({ x: toX(ms), y: toY(price) });

/** Lays a drawing out; nothing if one of its points has no place, such as a price of 0 on a logarithmic scale. */
export function layOut(drawing: KnownDrawing, frame: Frame): Shape[] {
  const places = drawing.points.map((point) => toPlace(frame, point));
  if (places.some(({ x, y }) => !Number.isFinite(x) || !Number.isFinite(y))) return [];
  return LAYOUTS[drawing.kind]({ drawing, places, frame }).filter(isDrawable);
}

const isDrawable = (shape: Shape): boolean =>
  shape.type === "line"
    ? [shape.from, shape.to].every(isFinitePlace)
    : shape.type === "label"
      ? isFinitePlace(shape.at)
      : shape.places.every(isFinitePlace);
const isFinitePlace = ({ x, y }: Place): boolean => Number.isFinite(x) && Number.isFinite(y);

interface Work {
  readonly drawing: KnownDrawing;
  readonly places: readonly Place[];
  readonly frame: Frame;
}

const LAYOUTS: Readonly<Record<KnownDrawing["kind"], (work: Work) => Shape[]>> = {
  "trend-line": (work) => layLine(work, {}),
  ray: (work) => layLine(work, { after: true }),
  "extended-line": (work) => layLine(work, { before: true, after: true }),
  arrow: layArrow,
  "horizontal-line": ({ drawing, places: [at], frame }) =>
    at === undefined
      ? []
      : [
          { type: "line", from: { x: 0, y: at.y }, to: { x: frame.width, y: at.y } },
          ...layCaption(drawing, { x: frame.width - PADDING, y: at.y }, "right"),
        ],
  "vertical-line": ({ drawing, places: [at], frame }) =>
    at === undefined
      ? []
      : [
          { type: "line", from: { x: at.x, y: 0 }, to: { x: at.x, y: frame.height } },
          ...layCaption(drawing, { x: at.x + PADDING, y: LINE_HEIGHT.small * 2 }, "left"),
        ],
  channel: layChannel,
  pitchfork: layPitchfork,
  "fib-retracement": layRetracement,
  "fib-extension": layExtension,
  rectangle: ({ drawing, places: [from, to] }) => {
    if (from === undefined || to === undefined) return [];
    const outline = boxOf(from, to);
    return [
      { type: "area", places: outline },
      ...outline.map((each, at) => ({ type: "line" as const, from: each, to: outline[(at + 1) % 4] as Place })),
      ...layCaption(drawing, { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) }, "centre"),
    ];
  },
  brush: ({ places }) => [{ type: "path", places }],
  text: ({ drawing, places: [at] }) =>
    at === undefined
      ? []
      : [{ type: "label", at, lines: readText(drawing).split("\n"), side: "left", rise: "middle", isLarge: true }],
  measure: layMeasure,
  "long-position": layPosition,
  "short-position": layPosition,
};

/** The text of a line, just above it. */
function layCaption(drawing: KnownDrawing, at: Place, side: "left" | "right" | "centre"): Shape[] {
  const text = readText(drawing);
  return text === "" ? [] : [{ type: "label", at, lines: text.split("\n"), side, rise: "above" }];
}

interface Ends {
  readonly before?: boolean;
  readonly after?: boolean;
}

function layLine({ drawing, places: [from, to], frame }: Work, ends: Ends): Shape[] {
  if (from === undefined || to === undefined) return [];
  const line = extend(from, to, ends, frame);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  return line === null ? [] : [{ type: "line", ...line }, ...layCaption(drawing, middle, "centre")];
}

/**
 * Continues a line beyond its ends up to the borders of the frame, and cuts off what lies outside of them, because a
 * canvas draws far places wrongly. Null if none of it lies inside.
 */
export function extend(
  from: Place,
  to: Place,
  { before = false, after = false }: Ends,
  { width, height }: Pick<Frame, "width" | "height">,
): { readonly from: Place; readonly to: Place } | null {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  let [start, end] = [before ? -Infinity : 0, after ? Infinity : 1];
  if (dx === 0 && dy === 0) [start, end] = [0, 0];
  // Liang and Barsky, with the width of a thick line around the frame.
  const edge = 8;
  for (const [move, room] of [
    [-dx, from.x + edge],
    [dx, width + edge - from.x],
    [-dy, from.y + edge],
    [dy, height + edge - from.y],
  ] as const) {
    if (move === 0 && room < 0) return null;
    if (move < 0) start = Math.max(start, room / move);
    if (move > 0) end = Math.min(end, room / move);
  }
  if (start > end) return null;
  const at = (share: number): Place => ({ x: from.x + share * dx, y: from.y + share * dy });
  return { from: at(start), to: at(end) };
}

const HEAD = 11;

function layArrow(work: Work): Shape[] {
  const [from, to] = work.places;
  if (from === undefined || to === undefined) return [];
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const wing = (turn: number): Place => ({
    x: to.x - HEAD * Math.cos(angle + turn),
    y: to.y - HEAD * Math.sin(angle + turn),
  });
  return [...layLine(work, {}), { type: "area", places: [to, wing(0.45), wing(-0.45)], isSolid: true }];
}

function layChannel({ drawing, places: [from, to, side], frame }: Work): Shape[] {
  if (from === undefined || to === undefined || side === undefined) return [];
  const shift = side.y - yOn(from, to, side.x);
  const [otherFrom, otherTo] = [lower(from, shift), lower(to, shift)];
  const shapes: Shape[] = [{ type: "area", places: [from, to, otherTo, otherFrom] }];
  for (const [start, end, isFine] of [
    [from, to, false],
    [otherFrom, otherTo, false],
    [lower(from, shift / 2), lower(to, shift / 2), true],
  ] as const) {
    const line = extend(start, end, {}, frame);
    if (line !== null) shapes.push({ type: "line", ...line, isFine });
  }
  return [...shapes, ...layCaption(drawing, { x: (from.x + to.x) / 2, y: Math.min(from.y, otherFrom.y) }, "centre")];
}

const lower = ({ x, y }: Place, by: number): Place => ({ x, y: y + by });

/** The height of a line at a place; of a vertical one, that of its start. */
function yOn(from: Place, to: Place, x: number): number {
  return to.x === from.x ? from.y : from.y + ((x - from.x) / (to.x - from.x)) * (to.y - from.y);
}

/** Andrews: the median from the first point through the middle of the other two, and parallels through these. */
function layPitchfork({ places: [handle, one, other], frame }: Work): Shape[] {
  if (handle === undefined || one === undefined || other === undefined) return [];
  const middle = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
  const beside = (place: Place): Place => ({
    x: place.x + middle.x - handle.x,
    y: place.y + middle.y - handle.y,
  });
  const shapes: Shape[] = [];
  for (const [from, to, isFine] of [
    [handle, middle, false],
    [one, beside(one), false],
    [other, beside(other), false],
  ] as const) {
    const line = extend(from, to, { after: true }, frame);
    if (line !== null) shapes.push({ type: "line", ...line, isFine });
  }
  const tie = extend(one, other, {}, frame);
  return tie === null ? shapes : [...shapes, { type: "line", ...tie, isFine: true }];
}

function boxOf(from: Place, to: Place): Place[] {
  return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
}

function layRetracement({ drawing, places: [from, to], frame }: Work): Shape[] {
  if (from === undefined || to === undefined) return [];
  const { levels } = readStyle(drawing);
  const prices = findRetracements(drawing.points, levels);
  return [
    ...layLevels({ levels, prices, fromX: Math.min(from.x, to.x), toX: Math.max(from.x, to.x), frame }),
    { type: "line", from, to, tone: "faint", isFine: true },
  ];
}

function layExtension({ drawing, places: [from, to, back], frame }: Work): Shape[] {
  if (from === undefined || to === undefined || back === undefined) return [];
  const { levels } = readStyle(drawing);
  const prices = findExtensions(drawing.points, levels);
  const toX = Math.max(from.x, to.x, back.x) + Math.max(60, Math.abs(to.x - from.x));
  return [
    ...layLevels({ levels, prices, fromX: back.x, toX, frame }),
    { type: "line", from, to, tone: "faint", isFine: true },
    { type: "line", from: to, to: back, tone: "faint", isFine: true },
  ];
}

interface Levels {
  readonly levels: readonly number[];
  readonly prices: readonly number[];
  readonly fromX: number;
  readonly toX: number;
  readonly frame: Frame;
}

/** A line for each level with its share and its price, and the area between the outer ones. */
function layLevels({ levels, prices, fromX, toX, frame }: Levels): Shape[] {
  const ys = prices.map((price) => frame.toY(price));
  const shown = ys.filter(Number.isFinite);
  const [top, bottom] = [Math.min(...shown), Math.max(...shown)];
  return [
    { type: "area", places: boxOf({ x: fromX, y: top }, { x: toX, y: bottom }) },
    ...levels.flatMap((level, at): Shape[] => {
      const y = ys[at] ?? NaN;
      const text = `${Number((level * 100).toFixed(2))} %  ${formatPrice(prices[at] ?? NaN, frame.facts.digits)}`;
      return [
        { type: "line", from: { x: fromX, y }, to: { x: toX, y }, isFine: level !== 0 && level !== 1 },
        { type: "label", at: { x: fromX + 2, y }, lines: [text], side: "left", rise: "above" },
      ];
    }),
  ];
}

function layMeasure({ drawing, places: [from, to], frame }: Work): Shape[] {
  const [start, end] = drawing.points;
  if (from === undefined || to === undefined || start === undefined || end === undefined) return [];
  const bars = frame.toLogical(end[0]) - frame.toLogical(start[0]);
  const measure = computeMeasure(start, end, bars, frame.facts);
  const tone = measure.change < 0 ? "down" : "up";
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const isUp = to.y <= from.y;
  return [
    { type: "area", places: boxOf(from, to), tone },
    { type: "line", from: { x: middle.x, y: from.y }, to: { x: middle.x, y: to.y }, tone },
    { type: "line", from: { x: from.x, y: middle.y }, to: { x: to.x, y: middle.y }, tone },
    {
      type: "label",
      at: { x: middle.x, y: to.y + (isUp ? -PADDING : PADDING) },
      lines: formatMeasure(measure, frame.facts),
      side: "centre",
      rise: isUp ? "above" : "below",
      isBoxed: true,
      tone,
    },
  ];
}

function layPosition({ drawing, places: [entry, target, stop], frame }: Work): Shape[] {
  if (entry === undefined || target === undefined || stop === undefined) return [];
  const { digits } = frame.facts;
  const position = computePosition(drawing.points, frame.facts);
  const end = { x: target.x, y: entry.y };
  const middle = (entry.x + target.x) / 2;
  const isUp = target.y <= stop.y;
  const percent = (price: number) => `${((100 * Math.abs(price - position.entry)) / position.entry).toFixed(2)} %`;
  const label = (name: string, price: number, pips: number) =>
    `${name} ${formatPrice(price, digits)} · ${formatPips(pips).replace(/^\+/, "")} pips · ${percent(price)}`;
  return [
    { type: "area", places: boxOf(entry, target), tone: "up" },
    { type: "area", places: boxOf(entry, stop), tone: "down" },
    { type: "line", from: entry, to: end, tone: "faint" },
    {
      ...{ type: "label", side: "centre", isBoxed: true, tone: "up", rise: isUp ? "above" : "below" },
      at: { x: middle, y: target.y },
      lines: [label("Target", position.target, position.rewardPips)],
    },
    {
      ...{ type: "label", side: "centre", isBoxed: true, tone: "faint", rise: "middle" },
      at: { x: middle, y: entry.y },
      lines: [
        `${getKind(drawing.kind).title.split(" ")[0]} ${formatPrice(position.entry, digits)} · reward to risk ${position.ratio?.toFixed(2) ?? "–"}`,
      ],
    },
    {
      ...{ type: "label", side: "centre", isBoxed: true, tone: "down", rise: isUp ? "below" : "above" },
      at: { x: middle, y: stop.y },
      lines: [label("Stop", position.stop, position.riskPips)],
    },
  ];
}

/** The rectangle of a label: its left and top, and its size. */
export function boxLabel(
  { at, lines, side, rise, isLarge = false, isBoxed = false }: Extract<Shape, { type: "label" }>,
  measureText: Frame["measureText"],
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const padding = isBoxed ? PADDING : 2;
  const width = Math.max(...lines.map((line) => measureText(line, isLarge))) + 2 * padding;
  const height = lines.length * LINE_HEIGHT[isLarge ? "large" : "small"] + (isBoxed ? PADDING : 0);
  const x = side === "left" ? at.x : side === "right" ? at.x - width : at.x - width / 2;
  const y = rise === "above" ? at.y - height - 1 : rise === "below" ? at.y + 1 : at.y - height / 2;
  return { x, y, width, height };
}

/** Which part of a drawing a place hits: its lines and texts, or only the inside of its areas; null for neither. */
export function hitShapes(
  shapes: readonly Shape[],
  place: Place,
  reach: number,
  measureText: Frame["measureText"],
): "edge" | "inside" | null {
  let isInside = false;
  for (const shape of shapes) {
    if (shape.type === "line") {
      if (measureToLine(place, shape.from, shape.to) <= reach) return "edge";
    } else if (shape.type === "path") {
      for (let at = 1; at < shape.places.length; at++) {
        if (measureToLine(place, shape.places[at - 1] as Place, shape.places[at] as Place) <= reach) return "edge";
      }
    } else if (shape.type === "label") {
      const { x, y, width, height } = boxLabel(shape, measureText);
      if (place.x >= x && place.x <= x + width && place.y >= y && place.y <= y + height) return "edge";
    } else if (isWithin(place, shape.places)) {
      if (shape.isSolid === true) return "edge";
      isInside = true;
    }
  }
  return isInside ? "inside" : null;
}

/** Whether a place lies in an outline, by the number of its borders to the right. */
function isWithin({ x, y }: Place, outline: readonly Place[]): boolean {
  let isIn = false;
  for (let at = 0, last = outline.length - 1; at < outline.length; last = at++) {
    const [one, other] = [outline[at] as Place, outline[last] as Place];
    if (one.y > y !== other.y > y && x < ((other.x - one.x) * (y - one.y)) / (other.y - one.y) + one.x) isIn = !isIn;
  }
  return isIn;
}
