import { formatCount } from "@/lib/text/text";

/** Drawings on charts: what the browser, the database and a file of drawings have in common. */

/** A point of a drawing: UTC milliseconds and a price, so that it is the same on the bars of every timeframe. */
export type DrawingPoint = readonly [timeMs: number, price: number];

/**
 * A drawing on the chart of a symbol. A later version may have other kinds and more fields: they are kept as they are,
 * also by a program that does not know them.
 */
export interface Drawing {
  readonly id: string;
  readonly kind: string;
  readonly points: readonly DrawingPoint[];
  readonly [field: string]: unknown;
}

export const DRAWING_LIMITS = {
  /** Drawings of an account on one symbol, and on all of them. */
  perSymbol: 300,
  perAccount: 3_000,
  points: 500,
  /** Characters of one drawing as JSON, and of all drawings of an account. */
  size: 16_384,
  totalSize: 4_194_304,
  /** Characters of one request. */
  body: 1_048_576,
} as const;

/** Creates the id of a drawing. `crypto.randomUUID` is missing on pages that are served over plain HTTP. */
export function createDrawingId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4 of RFC 9562.
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const ID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const KIND = /^[a-z][a-z0-9-]{0,39}$/;
/** The years 1900 to 2200. Chart libraries cannot show others. */
const [FIRST_MS, LAST_MS] = [-2_208_988_800_000, 7_258_118_400_000];
const HIGHEST_PRICE = 1e12;
/** What no database can store as text. */
const UNSTORABLE = /\\u0000|\\ud[89a-f][\da-f]{2}/i;

/** Returns why a value is no drawing, as a sentence; null if it is one, of whichever kind and with whichever fields. */
export function findDrawingProblem(value: unknown): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "A drawing must be an object.";
  const { id, kind, points } = value as Record<string, unknown>;
  if (typeof id !== "string" || !ID.test(id)) return "A drawing’s id must be a UUID in lower case.";
  if (typeof kind !== "string" || !KIND.test(kind)) return "A drawing’s kind has small letters, digits and hyphens.";
  if (!Array.isArray(points) || points.length === 0) return "A drawing needs at least one point.";
  if (points.length > DRAWING_LIMITS.points) return `A drawing has at most ${DRAWING_LIMITS.points} points.`;
  if (!points.every(isPoint)) return "A drawing’s points must be pairs of UTC milliseconds and a price.";
  const json = JSON.stringify(value);
  if (json.length > DRAWING_LIMITS.size) {
    const [most, length] = [formatCount(DRAWING_LIMITS.size), formatCount(json.length)];
    return `A drawing has at most ${most} characters as JSON, and this one ${length}: give it fewer points or less text.`;
  }
  return UNSTORABLE.test(json) ? "A drawing has characters that cannot be stored." : null;
}

/** Digits of a price that drawings keep: more than any instrument has, and fewer than binary noise. */
const PRICE_DIGITS = 12;

/** Rounds the points of what may be a drawing, so that as many as are allowed have room in its characters. */
export function roundPoints<Value>(value: Value): Value {
  const { points } = (value ?? {}) as { points?: unknown };
  if (!Array.isArray(points) || !points.every(isPoint)) return value;
  const rounded = (points as DrawingPoint[]).map(([ms, price]) => [
    Math.round(ms),
    Number(price.toPrecision(PRICE_DIGITS)),
  ]);
  return { ...value, points: rounded };
}

function isPoint(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [timeMs, price] = value as unknown[];
  const isTime = typeof timeMs === "number" && Number.isFinite(timeMs) && timeMs >= FIRST_MS && timeMs <= LAST_MS;
  return isTime && typeof price === "number" && Math.abs(price) <= HIGHEST_PRICE;
}

/** A drawing as it is stored. Every change gives it another version. */
export interface StoredDrawing {
  readonly version: string;
  readonly drawing: Drawing;
}

/** A change of one drawing. */
export interface DrawingChange {
  readonly id: string;
  /** The version that the change was made to; null for a drawing that is new. */
  readonly base: string | null;
  /** Null removes it. */
  readonly drawing: Drawing | null;
}
