import * as zlib from "node:zlib";
import { Decompress } from "fzstd";

/** Node.js has it since 22.15. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync };

/** A reader needs as much memory. The zstd program refuses more by default. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

/**
 * Unpacks Zstandard frames into at most `length` bytes of their own memory. Throws an Error for truncated ones, and for
 * damaged ones where their structure or their length tells. The library does not check the checksums of frames, nor that
 * repetitions begin inside of what was unpacked, so that damage may also give other bytes of the same number: then only
 * the checksum of a Parquet page tells, if its writer has made one.
 */
export function unpackZstd(packed: Uint8Array, length: number): Uint8Array {
  if (zstdDecompressSync !== undefined) {
    return new Uint8Array(zstdDecompressSync(packed, { maxOutputLength: length }));
  }
  if (findWindow(packed) > Math.max(length, MAX_WINDOW_BYTES)) throw new Error("Zstandard: the window is too large");
  const target = new Uint8Array(length);
  let at = 0;
  // Block by block: at once, the library fills what blocks leave out with zeros.
  const reader = new Decompress((part) => {
    target.set(part, at);
    at += part.length;
  });
  reader.push(packed, true);
  return at === length ? target : target.slice(0, at);
}

/**
 * The bytes that a reader of the first frame must keep. Throws an Error if it needs a dictionary.
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
 */
function findWindow(packed: Uint8Array): number {
  const [flags = 0, next = 0] = packed.subarray(4, 6);
  if ((flags & 3) !== 0) throw new Error("Zstandard: a dictionary is missing");
  const isSingle = (flags & 0x20) !== 0;
  if (!isSingle) return 2 ** (10 + (next >>> 3)) * (1 + (next & 7) / 8);
  // Then the window is the whole content, whose size stands here in 1, 2, 4 or 8 bytes.
  const sizeBytes = 2 ** (flags >>> 6);
  return sizeBytes === 8 ? Infinity : Buffer.from(packed.subarray(5, 5 + sizeBytes)).readUIntLE(0, sizeBytes);
}
