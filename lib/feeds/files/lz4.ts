/**
 * Unpacks LZ4, which Parquet files may use: a sequence is a token, literal bytes, and a repetition of bytes before it.
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */

const LEAST_REPETITION = 4;

/** Unpacks one block into `target` from `at` on. Returns the end of what it wrote. Throws an Error for a damaged block. */
function unpackBlock(packed: Uint8Array, target: Uint8Array, at: number): number {
  let from = 0;
  let to = at;

  const next = () => {
    const byte = packed[from++];
    if (byte === undefined) throw new Error("LZ4: the block ends too early");
    return byte;
  };
  /** A length of 15 goes on in further bytes, of which the last is below 255. */
  const readLength = (nibble: number) => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255;) {
      byte = next();
      length += byte;
    }
    return length;
  };

  while (from < packed.length) {
    const token = next();
    const literals = readLength(token >> 4);
    if (from + literals > packed.length || to + literals > target.length) throw new Error("LZ4: too many bytes");
    target.set(packed.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has only literals.
    if (from === packed.length) break;
    const distance = next() + 256 * next();
    const length = readLength(token & 15) + LEAST_REPETITION;
    if (distance === 0 || distance > to - at || to + length > target.length) throw new Error("LZ4: a wrong repetition");
    // Byte by byte, because a repetition may overlap what it repeats.
    for (const end = to + length; to < end; to++) target[to] = target[to - distance] as number;
  }
  return to;
}

/** Unpacks a block of `length` bytes. Throws an Error for a damaged one. */
export function unpackLz4(packed: Uint8Array, length: number): Uint8Array {
  const target = new Uint8Array(length);
  if (unpackBlock(packed, target, 0) !== length) throw new Error("LZ4: the block has another length");
  return target;
}

/**
 * Unpacks what Parquet calls LZ4, which writers did not agree on: blocks behind their two lengths, as Hadoop writes them,
 * or a plain block.
 */
export function unpackHadoopLz4(packed: Uint8Array, length: number): Uint8Array {
  return unpackFramed(packed, length) ?? unpackLz4(packed, length);
}

/** Null if the lengths are not those of blocks. */
function unpackFramed(packed: Uint8Array, length: number): Uint8Array | null {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const target = new Uint8Array(length);
  let [from, to] = [0, 0];
  while (from < packed.length) {
    if (from + 8 > packed.length) return null;
    const [unpackedLength, packedLength] = [view.getUint32(from), view.getUint32(from + 4)];
    from += 8;
    if (from + packedLength > packed.length || to + unpackedLength > length) return null;
    const end = unpackBlock(packed.subarray(from, from + packedLength), target, to);
    if (end !== to + unpackedLength) return null;
    from += packedLength;
    to = end;
  }
  return to === length ? target : null;
}
