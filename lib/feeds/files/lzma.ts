/**
 * Decodes LZMA in its "alone" format, which old archives and Dukascopy's files use: a header of 13 bytes, then one stream.
 * It follows Igor Pavlov's public-domain specification (LzmaSpec.cpp of the LZMA SDK 9.20) and uses its names.
 */

const HEADER_BYTES = 13;
const UNKNOWN_SIZE = 2 ** 64;
const END_MARKER = 0xffffffff;

// Where each group of probabilities begins in the decoder's array.
const IS_MATCH = 0;
const IS_REP = IS_MATCH + 192;
const IS_REP_G0 = IS_REP + 12;
const IS_REP_G1 = IS_REP_G0 + 12;
const IS_REP_G2 = IS_REP_G1 + 12;
const IS_REP0_LONG = IS_REP_G2 + 12;
const POS_SLOT = IS_REP0_LONG + 192;
const POS_SPECIAL = POS_SLOT + 4 * 64;
const ALIGN = POS_SPECIAL + 128;
const LEN = ALIGN + 16;
const LEN_LOW = 2;
const LEN_MID = LEN_LOW + 16 * 8;
const LEN_HIGH = LEN_MID + 16 * 8;
const REP_LEN = LEN + LEN_HIGH + 256;
const LITERAL = REP_LEN + LEN_HIGH + 256;
const LITERAL_SIZE = 0x300;

interface Header {
  /** The spec's lc, lp and pb: bits of the previous byte, and of the position, that select probabilities. */
  readonly literalContext: number;
  readonly literalPosition: number;
  readonly positionBits: number;
  /** Unpacked bytes; Infinity if the stream ends with a marker instead. */
  readonly size: number;
}

/**
 * Returns the unpacked bytes.
 * @throws Error for bytes that are not LZMA, damaged or cut short.
 */
export function decodeLzma(packed: Uint8Array): Uint8Array {
  const header = readHeader(packed);
  const probabilities = LITERAL + (LITERAL_SIZE << (header.literalContext + header.literalPosition));
  const output = new LzmaOutput(header.size, packed.length);
  decodeStream(new RangeDecoder(packed, HEADER_BYTES + 1, probabilities), output, header);
  return output.getBytes();
}

function readHeader(packed: Uint8Array): Header {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.length < HEADER_BYTES + 5 || view.getUint8(0) >= 225) throw new Error("not an LZMA file");
  const properties = view.getUint8(0);
  const declared = view.getUint32(5, true) + view.getUint32(9, true) * 2 ** 32;
  const isSizeKnown = declared < UNKNOWN_SIZE - 1;
  if (isSizeKnown && declared > MAX_UNPACKED_BYTES) throw new Error("not an LZMA file: its declared size is too large");
  return {
    literalContext: properties % 9,
    literalPosition: Math.floor(properties / 9) % 5,
    positionBits: Math.floor(properties / 45),
    size: isSizeKnown ? declared : Infinity,
  };
}

function decodeStream(decoder: RangeDecoder, output: LzmaOutput, header: Header): void {
  const positionMask = (1 << header.positionBits) - 1;
  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  while (output.size < header.size) {
    const position = output.size & positionMask;
    if (decoder.bit(IS_MATCH + state * 16 + position) === 0) {
      output.put(decodeLiteral(decoder, output, header, state >= 7 ? output.back(rep0 + 1) : null));
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let copied: number;
    if (decoder.bit(IS_REP + state) === 0) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      copied = decodeLength(decoder, LEN, position);
      state = state < 7 ? 7 : 10;
      rep0 = decodeDistance(decoder, copied);
      if (rep0 === END_MARKER) return;
      copied += 2;
    } else {
      const isNewest = decoder.bit(IS_REP_G0 + state) === 0;
      if (isNewest && decoder.bit(IS_REP0_LONG + state * 16 + position) === 0) {
        state = state < 7 ? 9 : 11;
        copied = 1;
      } else {
        if (!isNewest) {
          if (decoder.bit(IS_REP_G1 + state) === 0) [rep1, rep0] = [rep0, rep1];
          else if (decoder.bit(IS_REP_G2 + state) === 0) [rep2, rep1, rep0] = [rep1, rep0, rep2];
          else [rep3, rep2, rep1, rep0] = [rep2, rep1, rep0, rep3];
        }
        copied = 2 + decodeLength(decoder, REP_LEN, position);
        state = state < 7 ? 8 : 11;
      }
    }
    if (rep0 >= output.size) throw new Error("the LZMA file is damaged");
    output.copy(rep0 + 1, copied);
  }
}

/** `matched` is the byte at the last distance after a match, which predicts this one; null after a literal. */
function decodeLiteral(decoder: RangeDecoder, output: LzmaOutput, header: Header, matched: number | null): number {
  const { literalContext, literalPosition } = header;
  const positionPart = (output.size & ((1 << literalPosition) - 1)) << literalContext;
  const base = LITERAL + LITERAL_SIZE * (positionPart + (output.back(1) >>> (8 - literalContext)));
  let symbol = 1;
  if (matched !== null) {
    do {
      const expected = (matched >>> 7) & 1;
      matched <<= 1;
      const one = decoder.bit(base + ((1 + expected) << 8) + symbol);
      symbol = symbol * 2 + one;
      if (expected !== one) break;
    } while (symbol < 0x100);
  }
  while (symbol < 0x100) symbol = symbol * 2 + decoder.bit(base + symbol);
  return symbol - 0x100;
}

function decodeLength(decoder: RangeDecoder, base: number, position: number): number {
  if (decoder.bit(base) === 0) return decoder.tree(base + LEN_LOW + position * 8, 3);
  if (decoder.bit(base + 1) === 0) return 8 + decoder.tree(base + LEN_MID + position * 8, 3);
  return 16 + decoder.tree(base + LEN_HIGH, 8);
}

function decodeDistance(decoder: RangeDecoder, matchLength: number): number {
  const slot = decoder.tree(POS_SLOT + Math.min(matchLength, 3) * 64, 6);
  if (slot < 4) return slot;
  const bits = (slot >>> 1) - 1;
  const start = (2 + (slot & 1)) * 2 ** bits;
  if (slot < 14) return start + decoder.reverseTree(POS_SPECIAL + start - slot, bits);
  return start + decoder.directBits(bits - 4) * 16 + decoder.reverseTree(ALIGN, 4);
}

/** The limit of a file's unpacked size: far above an hour of ticks. The header of a damaged file may declare any size. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** The unpacked bytes, which are also the dictionary of the decoder. */
class LzmaOutput {
  size = 0;
  #bytes: Uint8Array;
  readonly #canGrow: boolean;

  /** `declaredSize` is Infinity if the header does not declare a size. */
  constructor(declaredSize: number, packedSize: number) {
    this.#canGrow = declaredSize === Infinity;
    this.#bytes = new Uint8Array(this.#canGrow ? packedSize * 4 : declaredSize);
  }

  /** Returns the byte written `distance` bytes ago; 0 before the first. */
  back(distance: number): number {
    return this.#bytes[this.size - distance] ?? 0;
  }

  put(byte: number): void {
    if (this.size === this.#bytes.length) this.#grow();
    this.#bytes[this.size++] = byte;
  }

  /** Repeats `count` bytes from `distance` bytes ago. The two ranges may overlap. */
  copy(distance: number, count: number): void {
    for (let i = 0; i < count; i++) this.put(this.#bytes[this.size - distance] as number);
  }

  getBytes(): Uint8Array {
    return this.#bytes.subarray(0, this.size);
  }

  #grow(): void {
    if (!this.#canGrow || this.size >= MAX_UNPACKED_BYTES) throw new Error("the LZMA file is longer than declared");
    const larger = new Uint8Array(this.size * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const EVEN_PROBABILITY = 1 << 10;
const MAX_RANGE = 0xffffffff;
const MIN_RANGE = 2 ** 24;

/** LZMA's arithmetic decoder: reads bits by their adaptive probabilities. */
class RangeDecoder {
  readonly #packed: Uint8Array;
  readonly #probabilities: Uint16Array;
  #at: number;
  #range = MAX_RANGE;
  #code = 0;

  constructor(packed: Uint8Array, start: number, probabilities: number) {
    this.#packed = packed;
    this.#at = start;
    this.#probabilities = new Uint16Array(probabilities).fill(EVEN_PROBABILITY);
    for (let i = 0; i < 4; i++) this.#code = ((this.#code << 8) | this.#nextByte()) >>> 0;
  }

  /** Reads a bit by the probability at `index`. */
  bit(index: number): 0 | 1 {
    const probability = this.#probabilities[index] as number;
    const bound = (this.#range >>> 11) * probability;
    const isOne = this.#code >= bound;
    if (isOne) {
      this.#range -= bound;
      this.#code -= bound;
      this.#probabilities[index] = probability - (probability >>> 5);
    } else {
      this.#range = bound;
      this.#probabilities[index] = probability + ((2048 - probability) >>> 5);
    }
    if (this.#range < MIN_RANGE) this.#normalize();
    return isOne ? 1 : 0;
  }

  /** Reads bits without probabilities. */
  directBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      this.#range >>>= 1;
      const isOne = this.#code >= this.#range;
      if (isOne) this.#code -= this.#range;
      value = value * 2 + (isOne ? 1 : 0);
      if (this.#range < MIN_RANGE) this.#normalize();
    }
    return value;
  }

  /** Reads a number of some bits, highest bit first; the probabilities form a tree from `base` on. */
  tree(base: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node * 2 + this.bit(base + node);
    return node - (1 << bits);
  }

  /** Reads a number of some bits, lowest bit first. */
  reverseTree(base: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const one = this.bit(base + node);
      node = node * 2 + one;
      value |= one << i;
    }
    return value;
  }

  #normalize(): void {
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#nextByte()) >>> 0;
  }

  #nextByte(): number {
    if (this.#at >= this.#packed.length) throw new Error("the LZMA file is truncated");
    return this.#packed[this.#at++] as number;
  }
}
