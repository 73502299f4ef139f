import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import type { Coding } from "@/lib/api/engine/negotiation";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";

/** Shorter bodies fit in one packet anyway. */
export const MIN_COMPRESSED_LENGTH = 1024;

/** Up to so many bytes, handing the work to another thread takes longer than the work. */
const MAX_SYNC_BYTES = 8 * 1024;

const FAST = { br: setQuality(1), gzip: { level: 1 } };
/** A third of the time of the usual 5 and 6, for a tenth more bytes of figures. */
const SMALL = { br: setQuality(2), gzip: { level: 4 } };

const compressBrotli = promisify<Uint8Array, object, Uint8Array>(brotliCompress);
const compressGzip = promisify<Uint8Array, object, Uint8Array>(gzip);

type Compressed = Uint8Array | Promise<Uint8Array>;

/** The compressed forms of bodies, which live as long as the body: cached answers are compressed once. */
const forms = new WeakMap<Uint8Array, Partial<Record<Coding, Compressed>>>();

/**
 * Compresses a body. The same bytes object is compressed once for each coding. A long body is compressed in another
 * thread.
 */
export function compress(body: string | Uint8Array, coding: Coding): Compressed {
  if (typeof body === "string") return compressBytes(Buffer.from(body), coding);
  let known = forms.get(body);
  if (known === undefined) forms.set(body, (known = {}));
  const form = (known[coding] ??= compressBytes(body, coding));
  return mapMaybeAsync(form, (bytes) => (known[coding] = bytes));
}

function compressBytes(bytes: Uint8Array, coding: Coding): Compressed {
  if (bytes.length <= MAX_SYNC_BYTES) {
    return coding === "br" ? brotliCompressSync(bytes, FAST.br) : gzipSync(bytes, FAST.gzip);
  }
  return coding === "br" ? compressBrotli(bytes, SMALL.br) : compressGzip(bytes, SMALL.gzip);
}

function setQuality(quality: number) {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
}
