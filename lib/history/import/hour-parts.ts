import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { PointBar } from "@/lib/history/bars/bar-rows";
import { readChanges, readVarint, type VarintReader, writeChanges, writeVarint } from "@/lib/history/ticks/hour-block";
import { MINUTE_MS } from "@/lib/time/units";

/** The parts that one symbol's hour is made of: those of each imported source, and what the recorder had stored. */

/** The source of what the recorder had stored. No import has an empty name. */
export const RECORDED = "";
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

export function packPart(part: HourPart, hourMs: number): PackedPart {
  const { source, timeframe } = part;
  return { source, timeframe, block: isTickPart(part) ? encodeTicks(part.ticks) : encodeBars(part.bars, hourMs) };
}

/** Throws an Error for a damaged block. */
export function unpackPart({ source, timeframe, block }: PackedPart, hourMs: number): HourPart {
  return timeframe === TICKS
    ? { source, timeframe, ticks: decodeTicks(block) }
    : { source, timeframe, bars: decodeBars(block, hourMs) };
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

function encodeBars(bars: BarList, hourMs: number): Buffer {
  const column = (pick: (bar: PointBar) => number) => Int32Array.from(bars, pick);
  return encodeColumns([
    column(({ timeMs }) => (timeMs - hourMs) / MINUTE_MS),
    column(({ open }) => open),
    column(({ high, open }) => high - open),
    column(({ low, open }) => low - open),
    column(({ close, open }) => close - open),
    column(({ volume }) => volume),
  ]);
}

/** Throws an Error for a damaged block. */
function decodeBars(block: Buffer, hourMs: number): BarList {
  const [minute, open, high, low, close, volume] = decodeColumns(block, 6) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  return Array.from(minute, (each, i) => {
    const first = open[i] as number;
    return {
      timeMs: hourMs + each * MINUTE_MS,
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

/** Ticks of one hour in the order of time; prices in points. Ticks of one millisecond keep their order. */
export interface TickList {
  /** Milliseconds since the hour began. */
  readonly ms: Int32Array;
  readonly bid: Int32Array;
  readonly ask: Int32Array;
}

function encodeTicks({ ms, bid, ask }: TickList): Buffer {
  return encodeColumns([ms, bid, ask.map((price, i) => price - (bid[i] as number))]);
}

/** Throws an Error for a damaged block. */
function decodeTicks(block: Buffer): TickList {
  const [ms, bid, spread] = decodeColumns(block, 3) as [Int32Array, Int32Array, Int32Array];
  return { ms, bid, ask: spread.map((points, i) => points + (bid[i] as number)) };
}

/**
 * Columns of whole numbers as one block: a version byte, the CRC-32 of the payload, and the deflated payload. The payload
 * has the number of rows, then each column as changes from row to row.
 */

const VERSION = 1;
const HEAD_BYTES = 5;
const MAX_VARINT_BYTES = 5;
const DEFLATE = { level: 3, strategy: constants.Z_FILTERED, memLevel: 9 };

/** Encodes columns of equal length. */
function encodeColumns(columns: readonly Int32Array[]): Buffer {
  const count = columns[0]?.length ?? 0;
  const payload = Buffer.allocUnsafe(MAX_VARINT_BYTES * (1 + count * columns.length));
  let length = writeVarint(payload, 0, count);
  for (const column of columns) length = writeChanges(payload, length, count, (i) => column[i] as number);
  const plain = payload.subarray(0, length);
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt8(VERSION, 0);
  head.writeUInt32LE(crc32(plain), 1);
  return Buffer.concat([head, deflateRawSync(plain, DEFLATE)]);
}

/** Decodes a block of so many columns. Throws an Error for a damaged block. */
function decodeColumns(block: Buffer, columns: number): Int32Array[] {
  if (block[0] !== VERSION) throw new Error(`This block of imported rows is of version ${block[0]}, which is unknown.`);
  const payload = inflateRawSync(block.subarray(HEAD_BYTES));
  if (crc32(payload) !== block.readUInt32LE(1)) throw new Error("This block of imported rows is damaged.");
  const reader: VarintReader = { payload, at: 0 };
  const count = readVarint(reader);
  return Array.from({ length: columns }, () => {
    const column = new Int32Array(count);
    readChanges(reader, column);
    return column;
  });
}

/** The result of a merge, to which ticks are added in the order of time. A repeated tick is left out. */
export class MergedTicks {
  readonly #to: TickList;
  #count = 0;

  constructor(size: number) {
    this.#to = { ms: new Int32Array(size), bid: new Int32Array(size), ask: new Int32Array(size) };
  }

  add(from: TickList, index: number): void {
    const last = this.#count - 1;
    if (last >= 0 && isSame(this.#to, last, from, index)) return;
    this.#to.ms[this.#count] = from.ms[index] as number;
    this.#to.bid[this.#count] = from.bid[index] as number;
    this.#to.ask[this.#count++] = from.ask[index] as number;
  }

  build(): TickList {
    const { ms, bid, ask } = this.#to;
    if (this.#count === ms.length) return this.#to;
    return { ms: ms.slice(0, this.#count), bid: bid.slice(0, this.#count), ask: ask.slice(0, this.#count) };
  }
}

/**
 * The union of two lists. Where both have ticks of the same millisecond, those that both have count once; others follow
 * the stored ones.
 */
export function mergeTicks(stored: TickList, added: TickList): TickList {
  const result = new MergedTicks(stored.ms.length + added.ms.length);
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
