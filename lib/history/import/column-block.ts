import { constants, crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { readChanges, readVarint, type VarintReader, writeChanges, writeVarint } from "@/lib/history/ticks/varint";

/**
 * Columns of whole numbers as one block: a version byte, the CRC-32 of the payload, and the deflated payload. The payload
 * has the number of rows, then each column as changes from row to row.
 */

const VERSION = 1;
const HEAD_BYTES = 5;
const MAX_VARINT_BYTES = 5;
const DEFLATE = { level: 3, strategy: constants.Z_FILTERED, memLevel: 9 };

/** Encodes columns of equal length. */
export function encodeColumns(columns: readonly Int32Array[]): Buffer {
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
export function decodeColumns(block: Buffer, columns: number): Int32Array[] {
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
