/** Variable-length integers: seven bits per byte, the lowest first; the eighth means that more follow. */

export interface VarintReader {
  readonly payload: Uint8Array;
  at: number;
}

/** Writes a whole number below 2^32, and returns where the next one begins. */
export function writeVarint(payload: Uint8Array, at: number, value: number): number {
  let rest = value;
  let length = at;
  while (rest > 127) {
    payload[length++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  payload[length++] = rest;
  return length;
}

/** Reads a number. Throws an Error at the end of the payload. */
export function readVarint(reader: VarintReader): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = reader.payload[reader.at++];
    if (byte === undefined) throw new Error("This tick block ends too early.");
    value |= (byte & 127) << shift;
    if (byte < 128) return value >>> 0;
  }
}

/** Writes a difference of two 32-bit integers. The sign is the lowest bit, so that small changes stay small. */
export function writeChange(payload: Uint8Array, at: number, difference: number): number {
  const change = difference | 0;
  return writeVarint(payload, at, ((change << 1) ^ (change >> 31)) >>> 0);
}

/** Reads a difference. Throws an Error at the end of the payload. */
export function readChange(reader: VarintReader): number {
  const folded = readVarint(reader);
  return (folded >>> 1) ^ -(folded & 1);
}

/** Writes the difference of each value from the one before. */
export function writeChanges(payload: Uint8Array, at: number, count: number, value: (index: number) => number): number {
  let length = at;
  let before = 0;
  for (let i = 0; i < count; i++) {
    const now = value(i);
    length = writeChange(payload, length, now - before);
    before = now;
  }
  return length;
}

/** Reads as many values as the array has. */
export function readChanges(reader: VarintReader, values: Int32Array): void {
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    values[i] = before = (before + readChange(reader)) | 0;
  }
}
