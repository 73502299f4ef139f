import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import type { Points } from "@/lib/history/points";

/**
 * Stored blocks of whole numbers: a version byte, the CRC-32 of the payload, and the deflated payload. The numbers of the
 * payload have variable lengths: seven bits per byte, the lowest first; the eighth means that more follow.
 */

const HEAD_BYTES = 5;

/** Bytes that a number takes at most. */
export const MAX_VARINT_BYTES = 8;

/** Seals a payload as a block. */
export function sealBlock(version: number, payload: Uint8Array, level: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt8(version, 0);
  head.writeUInt32LE(crc32(payload), 1);
  return Buffer.concat([head, deflateRawSync(payload, { level, strategy: constants.Z_FILTERED, memLevel: 9 })]);
}

/**
 * Seals a payload in columns, each deflated by itself: columns of different kinds get codes of their own. The lengths of
 * the deflated columns stand before them.
 */
export function sealColumns(version: number, columns: readonly Uint8Array[], level: number): Buffer {
  const packed = columns.map((column) =>
    deflateRawSync(column, { level, strategy: constants.Z_FILTERED, memLevel: 9 }),
  );
  const head = Buffer.allocUnsafe(HEAD_BYTES + (packed.length + 1) * MAX_VARINT_BYTES);
  head.writeUInt8(version, 0);
  head.writeUInt32LE(crc32(Buffer.concat(columns)), 1);
  let at = writeVarint(head, HEAD_BYTES, packed.length);
  for (const { length } of packed) at = writeVarint(head, at, length);
  return Buffer.concat([head.subarray(0, at), ...packed]);
}

interface BlockKind {
  /** What is in it, for messages: "ticks". */
  readonly content: string;
  readonly versions: readonly number[];
  /** The greatest payload. */
  readonly maxBytes?: number;
}

/** Opens a block. Throws an Error for a damaged block or one of an unknown version; never misreads it. */
export function openBlock(block: Uint8Array, kind: BlockKind) {
  return open(block, kind, (packed) => inflateRawSync(packed, { maxOutputLength: kind.maxBytes }));
}

/** Opens a block of `sealColumns`, in the same way: its payload has the columns one after the other. */
export function openColumns(block: Uint8Array, kind: BlockKind) {
  return open(block, kind, (packed) => inflateColumns(packed, kind.maxBytes));
}

function inflateColumns(packed: Uint8Array, maxBytes?: number): Buffer {
  const reader: VarintReader = { payload: packed, at: 0 };
  const count = readVarint(reader);
  if (count > packed.length) throw new Error("There are more columns than bytes.");
  const lengths = Array.from({ length: count }, () => readVarint(reader));
  const columns: Buffer[] = [];
  let [at, left] = [reader.at, maxBytes ?? Infinity];
  for (const length of lengths) {
    const maxOutputLength = left === Infinity ? undefined : left;
    const column = inflateRawSync(packed.subarray(at, (at += length)), { maxOutputLength });
    left = Math.max(1, left - column.length);
    columns.push(column);
  }
  return Buffer.concat(columns);
}

function open(block: Uint8Array, { content, versions }: BlockKind, unpack: (packed: Buffer) => Buffer) {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const name = `This block of ${content}`;
  if (bytes.length < HEAD_BYTES) throw new Error(`${name} is cut short.`);
  const version = bytes.readUInt8(0);
  if (!versions.includes(version)) throw new Error(`${name} is of version ${version}, which is unknown.`);
  let payload: Buffer;
  try {
    payload = unpack(bytes.subarray(HEAD_BYTES));
  } catch (error) {
    throw new Error(`${name} is damaged: it cannot be unpacked.`, { cause: error });
  }
  if (crc32(payload) !== bytes.readUInt32LE(1)) throw new Error(`${name} is damaged: its checksum is wrong.`);
  return { version, reader: { payload, at: 0 } satisfies VarintReader };
}

export interface VarintReader {
  readonly payload: Uint8Array;
  at: number;
}

const LOW_BITS = 128;
const MOST_32_BITS = 2 ** 32 - 1;

/** Writes a whole number up to 2^53, and returns where the next one begins. */
export function writeVarint(payload: Uint8Array, at: number, value: number): number {
  let rest = value;
  let length = at;
  while (rest > MOST_32_BITS) {
    payload[length++] = (rest % LOW_BITS) + LOW_BITS;
    rest = Math.floor(rest / LOW_BITS);
  }
  while (rest > 127) {
    payload[length++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  payload[length++] = rest;
  return length;
}

/** Reads a number. Throws an Error at the end of the payload. */
export function readVarint(reader: VarintReader): number {
  const first = reader.payload[reader.at] ?? LOW_BITS;
  if (first >= LOW_BITS) return readLongVarint(reader);
  reader.at++;
  return first;
}

/** Reads a number of several bytes. Most have one. */
function readLongVarint(reader: VarintReader): number {
  let value = 0;
  for (let scale = 1; ; scale *= LOW_BITS) {
    const byte = reader.payload[reader.at++];
    if (byte === undefined) throw new Error("This block ends too early.");
    value += (byte % LOW_BITS) * scale;
    if (byte < LOW_BITS) return value;
  }
}

/** Writes a difference of two whole numbers, of up to 52 bits. The sign is the lowest bit, so that small ones stay small. */
export function writeWideChange(payload: Uint8Array, at: number, difference: number): number {
  return writeVarint(payload, at, difference < 0 ? -2 * difference - 1 : 2 * difference);
}

/** Reads a difference. Throws an Error at the end of the payload. */
export function readWideChange(reader: VarintReader): number {
  const folded = readVarint(reader);
  return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
}

/** Writes the difference of each 32-bit integer from the one before, which wraps around. */
export function writeChanges(payload: Uint8Array, at: number, count: number, value: (index: number) => number): number {
  let length = at;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const now = value(i);
    const change = (now - before) | 0;
    length = writeVarint(payload, length, ((change << 1) ^ (change >> 31)) >>> 0);
    before = now;
  }
  return length;
}

/** Reads as many values of `writeChanges` as the array has. */
export function readChanges(reader: VarintReader, values: Points): void {
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const folded = readVarint(reader);
    values[i] = before = (before + ((folded >>> 1) ^ -(folded & 1))) | 0;
  }
}

/** Writes whole numbers up to 2^52 of either sign, each as its difference from the one before. */
export function writeWideChanges(
  payload: Uint8Array,
  at: number,
  count: number,
  value: (index: number) => number,
): number {
  let length = at;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const now = value(i);
    length = writeWideChange(payload, length, now - before);
    before = now;
  }
  return length;
}

/** Reads as many values of `writeWideChanges` as the array has. */
export function readWideChanges(reader: VarintReader, values: Points): void {
  let before = 0;
  for (let i = 0; i < values.length; i++) values[i] = before += readWideChange(reader);
}

/** Reads as many numbers of `writeWideChange`. Most have one byte or two. */
export function readWideColumn(reader: VarintReader, count: number): Float64Array {
  const { payload } = reader;
  const values = new Float64Array(count);
  let at = reader.at;
  for (let i = 0; i < count; i++) {
    const first = payload[at] ?? 128;
    const second = payload[at + 1] ?? 128;
    if (first < 128) {
      values[i] = (first >>> 1) ^ -(first & 1);
      at++;
    } else if (second < 128) {
      const folded = (first & 127) | (second << 7);
      values[i] = (folded >>> 1) ^ -(folded & 1);
      at += 2;
    } else {
      reader.at = at;
      values[i] = readWideChange(reader);
      at = reader.at;
    }
  }
  reader.at = at;
  return values;
}
