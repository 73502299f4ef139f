import * as zlib from "node:zlib";
import { snappyUncompress } from "hyparquet";
import type { CompressionCodec } from "hyparquet/src/types.js";

/** Unpacks a page of `length` bytes. Throws if it is damaged. */
type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

/** Node.js has it since 22.15. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync };

const CODECS: Partial<Record<CompressionCodec, Unpack>> = {
  UNCOMPRESSED: (packed) => packed.slice(),
  SNAPPY(packed, length) {
    const page = new Uint8Array(length);
    snappyUncompress(packed, page);
    return page;
  },
  GZIP: (packed, length) => copy(zlib.gunzipSync(packed, { maxOutputLength: length })),
  BROTLI: (packed, length) => copy(zlib.brotliDecompressSync(packed, { maxOutputLength: length })),
};
if (zstdDecompressSync !== undefined) {
  CODECS.ZSTD = (packed, length) => copy(zstdDecompressSync(packed, { maxOutputLength: length }));
}

/** Small buffers of Node share memory: a page must end where its memory does, so that no value is read behind it. */
const copy = (bytes: Uint8Array) => new Uint8Array(bytes);

/** Why pages of a codec cannot be unpacked; null if they can be. */
export function findCodecFault(codec: CompressionCodec): string | null {
  if (CODECS[codec] !== undefined) return null;
  const name = `is compressed with ${codec}`;
  return codec === "ZSTD"
    ? `${name}, which needs Node.js 22.15 or newer: write the file with snappy or gzip`
    : `${name}, which is not read: write the file with snappy, gzip or zstd`;
}

/** Unpacks a page into memory of its own. Throws if it is damaged. */
export function unpack(codec: CompressionCodec, packed: Uint8Array, length: number): Uint8Array {
  const page = length === 0 ? new Uint8Array(0) : CODECS[codec]?.(packed, length);
  if (page?.length !== length) throw new Error(`a page has ${page?.length ?? 0} bytes in place of ${length}`);
  return page;
}
