import type { Drawing } from "@/lib/access/drawing";

/** The kinds of drawings that this version can draw, and the fields that they have besides their points. */

export type Dash = "solid" | "dashed" | "dotted";
export const DASHES: readonly Dash[] = ["solid", "dashed", "dotted"];
export const WIDTHS = [1, 2, 3, 4] as const;

/** The colours by name, so that a drawing is legible in the dark and in the light theme: `--line-1` to `--line-8`. */
export const COLOURS = ["blue", "orange", "green", "pink", "yellow", "teal", "violet", "red"] as const;

interface KindFacts {
  readonly title: string;
  /** How many points a person places; 0 for as many as the pointer passes. */
  readonly points: number;
  /** The key that chooses it together with Alt, as `KeyboardEvent.code` names it. */
  readonly key?: string;
  readonly colour: (typeof COLOURS)[number];
  /** Whether its area is filled, so that the inside belongs to it. */
  readonly hasArea?: boolean;
  /** Shares of the way between its points at which it has lines. They can be changed. */
  readonly levels?: readonly number[];
  /** Its picture: a path in a square of 20 units. */
  readonly icon: string;
}

const DOT = (x: number, y: number) => `M${x - 1.6} ${y}a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0`;

const KINDS = {
  "trend-line": {
    title: "Trend line",
    points: 2,
    key: "KeyT",
    colour: "blue",
    icon: `M5.2 14.8L14.8 5.2${DOT(4, 16)}${DOT(16, 4)}`,
  },
  ray: {
    title: "Ray",
    points: 2,
    key: "KeyJ",
    colour: "blue",
    icon: `M5.2 14.8L9 11M11.2 8.8L18 2${DOT(4, 16)}${DOT(10.1, 9.9)}`,
  },
  "extended-line": {
    title: "Extended line",
    points: 2,
    key: "KeyE",
    colour: "blue",
    icon: `M2 18L6 14M8.2 11.8L11.8 8.2M14 6L18 2${DOT(7.1, 12.9)}${DOT(12.9, 7.1)}`,
  },
  arrow: { title: "Arrow", points: 2, key: "KeyA", colour: "blue", icon: `M5.2 14.8L16 4M9.5 4H16V10.5${DOT(4, 16)}` },
  "horizontal-line": {
    title: "Horizontal line",
    points: 1,
    key: "KeyH",
    colour: "blue",
    icon: `M2 10H8.4M11.6 10H18${DOT(10, 10)}`,
  },
  "vertical-line": {
    title: "Vertical line",
    points: 1,
    key: "KeyV",
    colour: "blue",
    icon: `M10 2V8.4M10 11.6V18${DOT(10, 10)}`,
  },
  channel: {
    title: "Parallel channel",
    points: 3,
    key: "KeyC",
    colour: "teal",
    hasArea: true,
    icon: `M4.2 9.8L13.8 4.2M5 17L17 10${DOT(3, 10.6)}${DOT(15.2, 3.4)}${DOT(11, 13.5)}`,
  },
  pitchfork: {
    title: "Pitchfork",
    points: 3,
    key: "KeyP",
    colour: "teal",
    icon: `M4.5 15.5L18 8M7 4.5L13 11.5M8.4 4L17 2M12.8 14L18 13${DOT(3, 16.4)}${DOT(6.4, 3.6)}${DOT(13.4, 12.6)}`,
  },
  "fib-retracement": {
    title: "Fibonacci retracement",
    points: 2,
    key: "KeyF",
    colour: "yellow",
    hasArea: true,
    levels: [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1],
    icon: `M2 4H14.4M2 8H18M2 12H18M5.6 16H18${DOT(16, 4)}${DOT(4, 16)}`,
  },
  "fib-extension": {
    title: "Fibonacci extension",
    points: 3,
    key: "KeyX",
    colour: "yellow",
    hasArea: true,
    levels: [0, 0.618, 1, 1.272, 1.618, 2, 2.618],
    icon: `M3.5 16.5L8 9.5L11.2 14M13 4H18M13 9H18M13 14H18${DOT(3, 17.4)}${DOT(8.4, 8)}${DOT(12, 15.4)}`,
  },
  rectangle: {
    title: "Rectangle",
    points: 2,
    key: "KeyR",
    colour: "violet",
    hasArea: true,
    icon: `M4 14.4V5H14.4M16 5.6V15H5.6${DOT(4, 16)}${DOT(16, 4)}`,
  },
  brush: { title: "Brush", points: 0, key: "KeyB", colour: "orange", icon: "M3 16C5 11 6 6 9 6S9 13 12 13S14 5 17 4" },
  text: { title: "Text", points: 1, key: "KeyN", colour: "orange", icon: "M4 6V4H16V6M10 4V16M7.5 16H12.5" },
  measure: {
    title: "Measure",
    points: 2,
    key: "KeyM",
    colour: "blue",
    hasArea: true,
    icon: "M2.5 13.5L13.5 2.5L17.5 6.5L6.5 17.5ZM6 10L8 12M9 7L10.5 8.5M12 4L14 6",
  },
  "long-position": {
    title: "Long position",
    points: 1,
    key: "KeyL",
    colour: "green",
    hasArea: true,
    icon: "M2 12H18M3.5 12V3H16.5V12M3.5 12V17H16.5V12M10 9.5V5.5M7.8 7.5L10 5.3L12.2 7.5",
  },
  "short-position": {
    title: "Short position",
    points: 1,
    key: "KeyS",
    colour: "red",
    hasArea: true,
    icon: "M2 8H18M3.5 8V3H16.5V8M3.5 8V17H16.5V8M10 10.5V14.5M7.8 12.5L10 14.7L12.2 12.5",
  },
} as const satisfies Record<string, KindFacts>;

export type Kind = keyof typeof KINDS;

/** The kinds in the groups of the bar, each group with one button. */
export const GROUPS: readonly { readonly title: string; readonly kinds: readonly Kind[] }[] = [
  { title: "Lines", kinds: ["trend-line", "ray", "extended-line", "horizontal-line", "vertical-line", "arrow"] },
  { title: "Channels and pitchforks", kinds: ["channel", "pitchfork"] },
  { title: "Fibonacci", kinds: ["fib-retracement", "fib-extension"] },
  { title: "Shapes", kinds: ["rectangle", "brush"] },
  { title: "Text", kinds: ["text"] },
  { title: "Measures", kinds: ["measure", "long-position", "short-position"] },
];

export const getKind = (kind: Kind): KindFacts => KINDS[kind];

/** The kind that a key chooses together with Alt, by its `code`. */
export function findKindOfKey(code: string): Kind | undefined {
  return (Object.keys(KINDS) as Kind[]).find((kind) => getKind(kind).key === code);
}

/** The points that each kind has once it is complete. Positions have an entry, a target and a stop. */
function countPoints(kind: Kind): number {
  return kind === "long-position" || kind === "short-position" ? 3 : getKind(kind).points;
}

export interface KnownDrawing extends Drawing {
  readonly kind: Kind;
}

/** Whether this version can draw it. Others are kept, and listed as not shown. */
export function isKnown(drawing: Drawing): drawing is KnownDrawing {
  if (!Object.hasOwn(KINDS, drawing.kind)) return false;
  const count = countPoints(drawing.kind as Kind);
  return count === 0 ? drawing.points.length >= 2 : drawing.points.length === count;
}

export const isLocked = ({ isLocked: value }: Drawing): boolean => value === true;
export const isHidden = ({ isHidden: value }: Drawing): boolean => value === true;

/** The text of a drawing; "" without one. */
export const readText = ({ text }: Drawing): string => (typeof text === "string" ? text : "");

export interface Style {
  /** One of {@link COLOURS} or "#rrggbb". */
  readonly colour: string;
  readonly width: (typeof WIDTHS)[number];
  readonly dash: Dash;
  readonly levels: readonly number[];
}

export const MOST_LEVELS = 20;

/** How a drawing is drawn: its own fields, and the usual ones of its kind where it has none that this version knows. */
export function readStyle(drawing: KnownDrawing): Style {
  const usual = getKind(drawing.kind);
  const { colour, width, dash, levels } = drawing;
  const isColour =
    typeof colour === "string" && (COLOURS.some((each) => each === colour) || /^#[\da-f]{6}$/i.test(colour));
  return {
    colour: isColour ? colour : usual.colour,
    width: WIDTHS.find((each) => each === width) ?? (drawing.kind === "brush" ? 2 : 1),
    dash: DASHES.find((each) => each === dash) ?? "solid",
    levels: isLevels(levels) ? levels : (usual.levels ?? []),
  };
}

function isLevels(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= MOST_LEVELS &&
    value.every((each) => typeof each === "number" && Math.abs(each) <= 100)
  );
}

/** Reads levels that a person writes, "0, 0.5, 61.8%"; null if one is no number or there are too many. */
export function parseLevels(text: string): readonly number[] | null {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
  const levels = parts.map((part) => (part.endsWith("%") ? Number(part.slice(0, -1)) / 100 : Number(part)));
  const unique = [...new Set(levels)].toSorted((one, other) => one - other);
  return isLevels(unique) && unique.every(Number.isFinite) ? unique : null;
}
