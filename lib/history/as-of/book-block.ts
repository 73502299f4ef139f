import {
  MAX_VARINT_BYTES,
  openBlock,
  readVarint,
  readWideChanges,
  sealBlock,
  writeVarint,
  writeWideChanges,
} from "@/lib/history/block";
import { alignPoints } from "@/lib/market/price";
import { SECOND_MS } from "@/lib/time/units";

/**
 * Some seconds of the book as one small block: for each symbol and source its changes, as columns of variable-length
 * integers. Each value is the difference from the one before.
 */

/** The newest quote of one source at the end of a second. */
export interface BookChange {
  readonly symbol: string;
  readonly source: string;
  /** The digits of the prices, which are in points. */
  readonly digits: number;
  /** The second in which it was received, in Unix time. */
  readonly second: number;
  /** 0 with an ask of 0: the quote was dropped, because its source was paused or removed. */
  readonly bid: number;
  readonly ask: number;
  /** The broker's time, in whole UTC milliseconds. */
  readonly timeMs: number;
  /** The age from which it was stale then, in whole milliseconds rounded down. */
  readonly staleAfterMs: number;
}

/** The changes of one symbol and source, oldest first, as columns; see BookChange. */
export interface SourceChanges {
  readonly symbol: string;
  readonly source: string;
  readonly digits: number;
  readonly seconds: Float64Array;
  readonly bids: Float64Array;
  readonly asks: Float64Array;
  readonly timesMs: Float64Array;
  readonly staleAftersMs: Float64Array;
}

const VERSION = 1;
const BLOCK = { content: "quotes", versions: [VERSION] };
const LEVEL = 6;
/** Five columns. */
const MAX_CHANGE_BYTES = 5 * MAX_VARINT_BYTES;

/**
 * Encodes the changes of [since, until), each source's oldest first.
 *
 * @param since Unix time; changes of the second before are the book at the beginning
 */
export function encodeBook(since: number, changes: readonly BookChange[]): Buffer {
  const groups = new Map<string, BookChange[]>();
  for (const change of changes) {
    const name = `${change.symbol}\n${change.source}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [change]);
    else group.push(change);
  }
  const names = [...groups.keys()].map((name) => Buffer.from(name));
  const nameBytes = names.reduce((sum, { length }) => sum + length + 3 * MAX_VARINT_BYTES, MAX_VARINT_BYTES);
  const payload = Buffer.allocUnsafe(nameBytes + changes.length * MAX_CHANGE_BYTES);
  let at = writeVarint(payload, 0, groups.size);
  for (const [index, group] of [...groups.values()].entries()) {
    const name = names[index] as Buffer;
    at = writeVarint(payload, at, name.length);
    at += name.copy(payload, at);
    at = writeGroup(payload, at, since, group);
  }
  return sealBlock(VERSION, payload.subarray(0, at), LEVEL);
}

function writeGroup(payload: Buffer, start: number, since: number, group: readonly BookChange[]): number {
  const digits = group.reduce((most, change) => Math.max(most, change.digits), 0);
  const columns: ((change: BookChange) => number)[] = [
    ({ second }) => second - since + 1,
    (change) => alignPoints(change.bid, change.digits, digits),
    (change) => alignPoints(change.ask - change.bid, change.digits, digits),
    ({ second, timeMs }) => second * SECOND_MS - timeMs,
    ({ staleAfterMs }) => staleAfterMs,
  ];
  let at = writeVarint(payload, start, digits);
  at = writeVarint(payload, at, group.length);
  for (const getValue of columns) {
    at = writeWideChanges(payload, at, group.length, (index) => getValue(group[index] as BookChange));
  }
  return at;
}

/** The changes of columns one by one, those of each symbol and source oldest first. */
export function listChanges(groups: readonly SourceChanges[]): BookChange[] {
  return groups.flatMap(({ symbol, source, digits, seconds, bids, asks, timesMs, staleAftersMs }) =>
    Array.from(seconds, (second, at) => ({
      ...{ symbol, source, digits, second, bid: bids[at] as number, ask: asks[at] as number },
      ...{ timeMs: timesMs[at] as number, staleAfterMs: staleAftersMs[at] as number },
    })),
  );
}

/** Decodes a block of `encodeBook`. Throws an Error for a damaged one. */
export function decodeBook(since: number, block: Uint8Array): SourceChanges[] {
  const { reader } = openBlock(block, BLOCK);
  const { payload } = reader;
  const groups: SourceChanges[] = [];
  for (let left = readVarint(reader); left > 0; left--) {
    const length = readVarint(reader);
    const [symbol = "", source = ""] = payload.toString("utf8", reader.at, reader.at + length).split("\n");
    reader.at += length;
    const digits = readVarint(reader);
    const count = readVarint(reader);
    const column = () => {
      const values = new Float64Array(count);
      readWideChanges(reader, values);
      return values;
    };
    const seconds = column().map((offset) => since - 1 + offset);
    const bids = column();
    const asks = column().map((spread, i) => (bids[i] as number) + spread);
    const timesMs = column().map((lagMs, i) => (seconds[i] as number) * SECOND_MS - lagMs);
    groups.push({ symbol, source, digits, seconds, bids, asks, timesMs, staleAftersMs: column() });
  }
  return groups;
}
