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

/** Writes the difference of each value from the one before. The sign is the lowest bit, so that small changes stay small. */
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

/** Reads as many values as the array has. */
export function readChanges(reader: VarintReader, values: Int32Array): void {
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const folded = readVarint(reader);
    values[i] = before = (before + ((folded >>> 1) ^ -(folded & 1))) | 0;
  }
}
