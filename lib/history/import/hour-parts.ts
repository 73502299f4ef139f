import { type PointBar, raiseBar } from "@/lib/history/bars/bar-block";
import {
  MAX_VARINT_BYTES,
  openBlock,
  readChanges,
  readVarint,
  readWideChanges,
  sealBlock,
  writeChanges,
  writeVarint,
  writeWideChanges,
} from "@/lib/history/block";
import { createPoints, fromStoredDigits, isNarrow, type Points, raisePoints } from "@/lib/history/points";
import { getBuiltInDigits } from "@/lib/market/catalog";
import { MINUTE_MS } from "@/lib/time/units";

/** The parts that one symbol's hour is made of: those of each imported source, and what the recorder had stored. */

/** The source of what the recorder had stored. No import has an empty name. */
export const RECORDED = "";
/**
 * The source of what back-filling had stored of an hour before its first import, kept so that the hour is as it was once
 * every import of it is gone. It counts only where there is nothing else.
 */
export const FILLED = "(filled)";
/** Sources that begin like this have the history of a merged instrument. Those of the instrument itself come before. */
export const MERGED = "merged-";
/** The number that stands for ticks in place of a timeframe. */
export const TICKS = 0;

export type HourPart = TickPart | BarPart;

interface TickPart {
  readonly source: string;
  readonly timeframe: typeof TICKS;
  readonly ticks: TickList;
}

interface BarPart {
  readonly source: string;
  /** In minutes. */
  readonly timeframe: number;
  readonly bars: BarList;
}

/** A part as the database holds it. */
export interface PackedPart {
  readonly source: string;
  readonly timeframe: number;
  readonly block: Buffer;
}

export function isTickPart(part: HourPart): part is TickPart {
  return "ticks" in part;
}

/** The symbol and the hour that parts are of, in UTC milliseconds. */
export interface PartPlace {
  readonly symbol: string;
  readonly hourMs: number;
}

export function packPart(part: HourPart, place: PartPlace): PackedPart {
  const { source, timeframe } = part;
  return { source, timeframe, block: isTickPart(part) ? encodeTicks(part.ticks, place) : encodeBars(part.bars, place) };
}

/** Throws an Error for a damaged block. */
export function unpackPart({ source, timeframe, block }: PackedPart, place: PartPlace): HourPart {
  return timeframe === TICKS
    ? { source, timeframe, ticks: decodeTicks(block, place) }
    : { source, timeframe, bars: decodeBars(block, place) };
}

/** The rows of a part. */
export function countRows(part: HourPart): number {
  return isTickPart(part) ? part.ticks.ms.length : part.bars.length;
}

/** Adds a part to the stored one of the same source and timeframe. */
export function mergeParts(stored: HourPart, added: HourPart): HourPart {
  const { source } = added;
  if (isTickPart(stored) && isTickPart(added)) {
    return { source, timeframe: TICKS, ticks: mergeTicks(stored.ticks, added.ticks) };
  }
  if (isTickPart(stored) || isTickPart(added)) throw new Error("Ticks cannot be merged with bars");
  return { source, timeframe: added.timeframe, bars: mergeBars(stored.bars, added.bars) };
}

/** Bars of one timeframe and hour, oldest first. */
type BarList = readonly PointBar[];

function encodeBars(list: BarList, { symbol, hourMs }: PartPlace): Buffer {
  const digits = list.reduce((most, bar) => Math.max(most, bar.digits), getBuiltInDigits(symbol) ?? 0);
  const bars = list.map((bar) => raiseBar(bar, digits));
  const column = (pick: (bar: PointBar) => number) => bars.map(pick);
  return encodeColumns(symbol, digits, [
    column(({ timeMs }) => (timeMs - hourMs) / MINUTE_MS),
    column(({ open }) => open),
    column(({ high, open }) => high - open),
    column(({ low, open }) => low - open),
    column(({ close, open }) => close - open),
    column(({ volume }) => volume),
  ]);
}

/** Throws an Error for a damaged block. */
function decodeBars(block: Buffer, { symbol, hourMs }: PartPlace): BarList {
  const { digits, columns } = decodeColumns(symbol, block, 6);
  const [minute, open, high, low, close, volume] = columns as [Points, Points, Points, Points, Points, Points];
  return Array.from(minute, (each, i) => {
    const first = open[i] as number;
    return {
      timeMs: hourMs + each * MINUTE_MS,
      digits,
      open: first,
      high: first + (high[i] as number),
      low: first + (low[i] as number),
      close: first + (close[i] as number),
      volume: volume[i] as number,
    };
  });
}

/** The union of two lists: of two bars that opened together, the added one stays. */
function mergeBars(stored: BarList, added: BarList): BarList {
  const byTime = new Map([...stored, ...added].map((bar) => [bar.timeMs, bar]));
  return [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs);
}

/** Ticks of one hour in the order of time. Ticks of one millisecond keep their order. */
export interface TickList {
  /** The digits of the prices, which are in points. */
  readonly digits: number;
  /** Milliseconds since the hour began. */
  readonly ms: Int32Array;
  readonly bid: Points;
  readonly ask: Points;
}

/** The same ticks with their prices in at least so many digits. */
function raiseTicks(ticks: TickList, digits: number): TickList {
  if (digits <= ticks.digits) return ticks;
  const raise = (points: Points) => raisePoints(points, ticks.digits, digits);
  return { digits, ms: ticks.ms, bid: raise(ticks.bid), ask: raise(ticks.ask) };
}

function encodeTicks(list: TickList, { symbol }: PartPlace): Buffer {
  const { digits, ms, bid, ask } = raiseTicks(list, getBuiltInDigits(symbol) ?? 0);
  return encodeColumns(symbol, digits, [ms, bid, Float64Array.from(ask, (price, i) => price - (bid[i] as number))]);
}

/** Throws an Error for a damaged block. */
function decodeTicks(block: Buffer, { symbol }: PartPlace): TickList {
  const { digits, columns } = decodeColumns(symbol, block, 3);
  const [ms, bid, spread] = columns as [Points, Points, Points];
  const ask = Float64Array.from(spread, (points, i) => points + (bid[i] as number));
  const isWide = bid instanceof Float64Array;
  return { digits, ms: Int32Array.from(ms), bid, ask: isWide ? ask : Int32Array.from(ask) };
}

/**
 * Columns of whole numbers as one block. Its payload has the number of rows, then each column as changes from row to row.
 * In version 2 it begins with the digits of the prices, and numbers may have more than 32 bits; in version 1 the digits
 * are those of the built-in instrument.
 */

const PLAIN_VERSION = 1;
const DIGITS_VERSION = 2;
const BLOCK = { content: "imported rows", versions: [PLAIN_VERSION, DIGITS_VERSION] };
const LEVEL = 3;

/** Encodes columns of equal length. */
function encodeColumns(symbol: string, digits: number, columns: readonly ArrayLike<number>[]): Buffer {
  const count = columns[0]?.length ?? 0;
  const isPlain =
    digits === getBuiltInDigits(symbol) && columns.every((column) => Array.prototype.every.call(column, isNarrow));
  const payload = Buffer.allocUnsafe(MAX_VARINT_BYTES * (2 + count * columns.length));
  let length = isPlain ? 0 : writeVarint(payload, 0, digits);
  length = writeVarint(payload, length, count);
  const write = isPlain ? writeChanges : writeWideChanges;
  for (const column of columns) length = write(payload, length, count, (i) => column[i] as number);
  return sealBlock(isPlain ? PLAIN_VERSION : DIGITS_VERSION, payload.subarray(0, length), LEVEL);
}

/** Decodes a block of so many columns. Throws an Error for a damaged block. */
function decodeColumns(symbol: string, block: Buffer, columns: number): { digits: number; columns: Points[] } {
  const { version, reader } = openBlock(block, BLOCK);
  const isPlain = version === PLAIN_VERSION;
  const digits = fromStoredDigits(symbol, isPlain ? null : readVarint(reader));
  const count = readVarint(reader);
  const read = isPlain ? readChanges : readWideChanges;
  return {
    digits,
    columns: Array.from({ length: columns }, () => {
      const column = createPoints(count, !isPlain);
      read(reader, column);
      return column;
    }),
  };
}

/** The result of a merge, to which ticks are added in the order of time. A repeated tick is left out. */
export class MergedTicks {
  readonly #to: TickList;
  #count = 0;

  /** The ticks that are added have these digits, and points of more than 32 bits if they are wide. */
  constructor(size: number, digits: number, isWide: boolean) {
    const [bid, ask] = [createPoints(size, isWide), createPoints(size, isWide)];
    this.#to = { digits, ms: new Int32Array(size), bid, ask };
  }

  add(from: TickList, index: number): void {
    const last = this.#count - 1;
    if (last >= 0 && isSame(this.#to, last, from, index)) return;
    this.#to.ms[this.#count] = from.ms[index] as number;
    this.#to.bid[this.#count] = from.bid[index] as number;
    this.#to.ask[this.#count++] = from.ask[index] as number;
  }

  build(): TickList {
    const { digits, ms, bid, ask } = this.#to;
    if (this.#count === ms.length) return this.#to;
    return { digits, ms: ms.slice(0, this.#count), bid: bid.slice(0, this.#count), ask: ask.slice(0, this.#count) };
  }
}

/**
 * The union of two lists. Where both have ticks of the same millisecond, those that both have count once; others follow
 * the stored ones.
 */
export function mergeTicks(one: TickList, other: TickList): TickList {
  const digits = Math.max(one.digits, other.digits);
  const [stored, added] = [raiseTicks(one, digits), raiseTicks(other, digits)];
  const isWide = [stored, added].some(({ bid, ask }) => bid instanceof Float64Array || ask instanceof Float64Array);
  const result = new MergedTicks(stored.ms.length + added.ms.length, digits, isWide);
  let [i, j] = [0, 0];
  while (i < stored.ms.length || j < added.ms.length) {
    const ms = Math.min(stored.ms[i] ?? Infinity, added.ms[j] ?? Infinity);
    const storedEnd = findEnd(stored, i, ms);
    const addedEnd = findEnd(added, j, ms);
    const isWithin = contains(stored, i, storedEnd, added, j, addedEnd);
    if (isWithin || !contains(added, j, addedEnd, stored, i, storedEnd)) {
      for (let at = i; at < storedEnd; at++) result.add(stored, at);
    }
    if (!isWithin) for (let at = j; at < addedEnd; at++) result.add(added, at);
    [i, j] = [storedEnd, addedEnd];
  }
  return result.build();
}

/** The index after the last tick of a millisecond. */
function findEnd({ ms }: TickList, from: number, at: number): number {
  let end = from;
  while (end < ms.length && ms[end] === at) end++;
  return end;
}

/** Whether a list has all ticks of a part of another one, in their order. */
function contains(whole: TickList, from: number, to: number, part: TickList, first: number, end: number): boolean {
  let next = first;
  for (let at = from; at < to && next < end; at++) if (isSame(whole, at, part, next)) next++;
  return next === end;
}

function isSame(a: TickList, i: number, b: TickList, j: number): boolean {
  return a.ms[i] === b.ms[j] && a.bid[i] === b.bid[j] && a.ask[i] === b.ask[j];
}
