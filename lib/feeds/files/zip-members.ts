import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Inflate } from "fflate";

/** One file inside of a zip. */
export interface ZipMember {
  readonly name: string;
  /** Its size in the archive, in bytes. */
  readonly packedBytes: number;
  /** Why it cannot be unpacked; null if it can. */
  readonly fault: string | null;
  /** Where its header begins in the archive. */
  readonly offset: number;
  readonly method: number;
  readonly checksum: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_DIRECTORY = 256 * 1024 * 1024;
/** Stands in a field of 32 bits for a value that follows in 64 bits. */
const IN_64_BITS = 0xffff_ffff;
const [STORED, DEFLATED] = [0, 8];

/** The files inside of a zip, in the order of its directory, without folders. Throws an Error for a damaged archive. */
export function listZipMembers(path: string): ZipMember[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const { count, offset, length } = findDirectory(file, size);
    if (offset + length > size || length > MAX_DIRECTORY) throw new Error("its directory is damaged");
    const directory = readAt(file, offset, length);
    const members: ZipMember[] = [];
    let at = 0;
    for (let i = 0; i < count; i++) {
      if (at + 46 > length || directory.readUInt32LE(at) !== ENTRY) throw new Error("its directory is damaged");
      const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ];
      const member = readEntry(directory.subarray(at, at + 46 + nameBytes + extraBytes), nameBytes);
      if (!member.name.endsWith("/")) members.push(member);
      at += 46 + nameBytes + extraBytes + commentBytes;
    }
    return members;
  } catch (error) {
    throw new Error(`the archive is damaged or ends too early (${(error as Error).message})`, { cause: error });
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

function findDirectory(file: number, size: number): { count: number; offset: number; length: number } {
  const from = Math.max(0, size - END_BYTES - MAX_COMMENT);
  const tail = readAt(file, from, size - from);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  if (at < 0) throw new Error("its end is missing");
  const found = {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  const locator = at - 20;
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_64) return found;
  const end = readAt(file, Number(tail.readBigUInt64LE(locator + 8)), 56);
  if (end.length < 56 || end.readUInt32LE(0) !== END_64) throw new Error("its directory is damaged");
  const [count, length, offset] = [32, 40, 48].map((field) => Number(end.readBigUInt64LE(field))) as [
    number,
    number,
    number,
  ];
  return { count, length, offset };
}

function readEntry(entry: Buffer, nameBytes: number): ZipMember {
  const flags = entry.readUInt16LE(8);
  const method = entry.readUInt16LE(10);
  const [packed, size, offset] = [20, 24, 42].map((field) => entry.readUInt32LE(field)) as [number, number, number];
  const wide = readWide(entry.subarray(46 + nameBytes));
  const sizes = [size, packed, offset].map((value) => (value === IN_64_BITS ? (wide.shift() ?? value) : value));
  const isUnread = method !== STORED && method !== DEFLATED;
  const fault =
    (flags & 1) !== 0
      ? "it is encrypted: unpack it first"
      : isUnread
        ? `it is compressed with method ${method}, which is not read: unpack it first`
        : null;
  return {
    ...{ name: entry.toString("utf8", 46, 46 + nameBytes), packedBytes: sizes[1] as number, fault },
    ...{ offset: sizes[2] as number, method, checksum: entry.readUInt32LE(16) },
  };
}

/** The values of 64 bits in an entry's extra fields. */
function readWide(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      const count = Math.min(3, Math.floor(Math.min(length, extra.length - at - 4) / 8));
      return Array.from({ length: count }, (_, i) => Number(extra.readBigUInt64LE(at + 4 + i * 8)));
    }
    at += 4 + length;
  }
  return [];
}

/**
 * Reads the bytes of a member in pieces; null at its end. Throws an Error if they end too early or do not have their
 * checksum.
 *
 * @param onRead called with the number of bytes of the archive that were read
 */
export function openZipMember(
  path: string,
  { name, offset, packedBytes, method, checksum }: ZipMember,
  pieceBytes: number,
  onRead: (bytes: number) => void,
): () => Uint8Array | null {
  const unpacked: Uint8Array[] = [];
  const inflate = method === STORED ? null : new Inflate((data) => data.length > 0 && unpacked.push(data));
  let at = NaN;
  let left = packedBytes;
  let sum = 0;
  let isEnded = false;
  const readPiece = () => {
    const file = openSync(path, "r");
    try {
      if (Number.isNaN(at)) {
        const header = readAt(file, offset, 30);
        if (header.length < 30) throw new Error("its end is missing");
        const own = readAt(file, offset + 30, header.readUInt16LE(26)).toString("utf8");
        if (own !== name) throw new Error("it has two names for one file");
        at = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      }
      const piece = readAt(file, at, Math.min(pieceBytes, left));
      if (piece.length === 0 && left > 0) throw new Error("its end is missing");
      at += piece.length;
      left -= piece.length;
      onRead(piece.length);
      return piece;
    } finally {
      closeSync(file);
    }
  };
  return () => {
    while (unpacked.length === 0 && !isEnded) {
      try {
        const piece = readPiece();
        isEnded = left === 0;
        if (inflate === null) unpacked.push(piece);
        else inflate.push(piece, isEnded);
      } catch (error) {
        throw new Error(`the archive is damaged or ends too early (${(error as Error).message})`, { cause: error });
      }
    }
    const piece = unpacked.shift() ?? null;
    if (piece !== null) sum = crc32(piece, sum);
    else if (sum !== checksum) throw new Error("the archive is damaged (its checksum is another one)");
    return piece;
  };
}
