import type { WireBar } from "@/features/symbols/types";
import type { DrawingPoint } from "@/lib/access/drawing";
import { formatPrice } from "@/lib/market/price";
import { formatCount } from "@/lib/text/text";
import { formatUptime } from "@/lib/time/duration";

/** The arithmetic of drawings, in prices, pips, bars and time. */

export interface PriceScaleFacts {
  readonly digits: number;
  readonly pipSize: number;
}

/** The prices of the levels of a Fibonacci retracement: 0 at the end of the move, 1 at its start. */
export function findRetracements([start, end]: readonly DrawingPoint[], levels: readonly number[]): number[] {
  const [from, to] = [start?.[1] ?? NaN, end?.[1] ?? NaN];
  return levels.map((level) => to + (from - to) * level);
}

/** The prices of the levels of a Fibonacci extension: shares of the move from the first to the second point, from the third on. */
export function findExtensions([start, end, back]: readonly DrawingPoint[], levels: readonly number[]): number[] {
  const move = (end?.[1] ?? NaN) - (start?.[1] ?? NaN);
  return levels.map((level) => (back?.[1] ?? NaN) + move * level);
}

export interface Measure {
  readonly change: number;
  readonly pips: number;
  readonly percent: number;
  readonly bars: number;
  readonly ms: number;
}

/** Measures the way between two points. `bars` are the bars between them, backwards below 0. */
export function computeMeasure(
  [fromMs, from]: DrawingPoint,
  [toMs, to]: DrawingPoint,
  bars: number,
  { pipSize }: PriceScaleFacts,
): Measure {
  const change = to - from;
  return { change, pips: change / pipSize, percent: (100 * change) / from, bars: Math.round(bars), ms: toMs - fromMs };
}

const sign = (value: number, text: string) => `${value < 0 ? "−" : value > 0 ? "+" : ""}${text}`;

export function formatPips(pips: number): string {
  const size = Math.abs(pips);
  return sign(pips, size >= 10_000 ? formatCount(Math.round(size)) : size.toFixed(1));
}

/** A measure in two lines: "+12.3 pips · +0.11 % · +0.00123" and "24 bars · 1 d 0 h". */
export function formatMeasure(measure: Measure, { digits }: PriceScaleFacts): readonly string[] {
  const { change, pips, percent, bars, ms } = measure;
  const way = `${sign(bars, String(Math.abs(bars)))} ${Math.abs(bars) === 1 ? "bar" : "bars"}`;
  return [
    `${formatPips(pips)} pips · ${sign(percent, Math.abs(percent).toFixed(2))} %`,
    `${sign(change, formatPrice(Math.abs(change), digits))} · ${way} · ${formatUptime(Math.abs(ms))}`,
  ];
}

export interface Position {
  readonly entry: number;
  readonly target: number;
  readonly stop: number;
  readonly rewardPips: number;
  readonly riskPips: number;
  /** Reward to risk; null without risk. */
  readonly ratio: number | null;
}

/** The reward and the risk of a position by its entry, its target and its stop. */
export function computePosition(points: readonly DrawingPoint[], { pipSize }: PriceScaleFacts): Position {
  const [entry = NaN, target = NaN, stop = NaN] = points.map(([, price]) => price);
  const [reward, risk] = [Math.abs(target - entry), Math.abs(entry - stop)];
  return {
    ...{ entry, target, stop },
    rewardPips: reward / pipSize,
    riskPips: risk / pipSize,
    ratio: risk === 0 ? null : reward / risk,
  };
}

/** Puts the target and the stop of a position on their sides of the entry, and both at the same time. */
export function alignPosition(
  points: readonly DrawingPoint[],
  isLong: boolean,
  moved: number | null,
): readonly DrawingPoint[] {
  const [entry, target, stop] = points;
  if (entry === undefined || target === undefined || stop === undefined) return points;
  const [above, below] = [Math.max, Math.min];
  const endMs = Math.max(entry[0], moved === 2 ? stop[0] : target[0]);
  return [
    entry,
    [endMs, (isLong ? above : below)(target[1], entry[1])],
    [endMs, (isLong ? below : above)(stop[1], entry[1])],
  ];
}

/** The open, high, low or close of a bar that is nearest to a price; null if none is within `reach`. */
export function findMagnet([, ...prices]: WireBar, price: number, reach: number): number | null {
  const nearest = prices
    .slice(0, 4)
    .reduce((best, each) => (Math.abs(each - price) < Math.abs(best - price) ? each : best), Infinity);
  return Math.abs(nearest - price) <= reach ? nearest : null;
}

/**
 * Leaves out places of a hand-drawn line that lie within `tolerance` of the line without them, and further ones until at
 * most `most` are left (Ramer, Douglas and Peucker).
 */
export function simplify<Place extends { readonly x: number; readonly y: number }>(
  places: readonly Place[],
  tolerance: number,
  most: number,
): readonly Place[] {
  const keep = new Set([0, places.length - 1]);
  const spans: (readonly [number, number])[] = [[0, places.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    let [farthest, distance] = [-1, tolerance];
    for (let at = from + 1; at < to; at++) {
      const off = measureToLine(places[at] as Place, places[from] as Place, places[to] as Place);
      if (off > distance) [farthest, distance] = [at, off];
    }
    if (farthest === -1) continue;
    keep.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  const kept = places.filter((_, at) => keep.has(at));
  return kept.length > most ? simplify(places, tolerance * 2, most) : kept;
}

interface At {
  readonly x: number;
  readonly y: number;
}

/** The distance of a place from the line between two others. */
export function measureToLine(place: At, from: At, to: At): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const share =
    length === 0 ? 0 : Math.min(1, Math.max(0, ((place.x - from.x) * dx + (place.y - from.y) * dy) / length));
  return Math.hypot(place.x - from.x - share * dx, place.y - from.y - share * dy);
}
