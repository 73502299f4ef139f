/**
 * Decodes LZMA in its "alone" format, which only old archives and Dukascopy's files use: a header of 13 bytes, then one
 * stream. Follows Igor Pavlov's public-domain specification (LzmaSpec.cpp of the LZMA SDK 9.20) and uses its names.
 */

const HEADER_BYTES = 13;
/** Far above any hour of ticks; a damaged header may declare any size. */
const MAX_BYTES = 64 * 1024 * 1024;
const UNKNOWN_SIZE_LIMIT = 2 ** 64;

const HALF = 1 << 10;
const LOWEST_RANGE = 2 ** 24;
const END_MARKER = 0xffffffff;

// Where each group of probabilities begins in the array that holds them all.
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

/** Unpacks `packed`. Throws an Error if it is not such a stream or is truncated. */
export function decodeLzma(packed: Uint8Array): Uint8Array {
  const header = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (packed.length < HEADER_BYTES + 5 || header.getUint8(0) >= 225) throw new Error("not an LZMA file");
  const properties = header.getUint8(0);
  const literalContext = properties % 9;
  const literalPosition = Math.floor(properties / 9) % 5;
  const positionMask = (1 << Math.floor(properties / 45)) - 1;
  const declared = header.getUint32(5, true) + header.getUint32(9, true) * 2 ** 32;
  const isSizeKnown = declared < UNKNOWN_SIZE_LIMIT - 1;
  if (isSizeKnown && declared > MAX_BYTES) throw new Error("not an LZMA file: its declared size is too large");

  const probabilities = new Uint16Array(LITERAL + (LITERAL_SIZE << (literalContext + literalPosition))).fill(HALF);
  let output = new Uint8Array(isSizeKnown ? declared : packed.length * 4);
  let size = 0;
  let at = HEADER_BYTES + 1;
  let range = 0xffffffff;
  let code = 0;
  for (let i = 0; i < 4; i++) code = ((code << 8) | nextByte()) >>> 0;

  function nextByte(): number {
    if (at >= packed.length) throw new Error("the LZMA file is truncated");
    return packed[at++] as number;
  }

  function widen(): void {
    if (range >= LOWEST_RANGE) return;
    range = (range << 8) >>> 0;
    code = ((code << 8) | nextByte()) >>> 0;
  }

  function bit(index: number): 0 | 1 {
    const probability = probabilities[index] as number;
    const bound = (range >>> 11) * probability;
    const isOne = code >= bound;
    if (isOne) {
      range -= bound;
      code -= bound;
      probabilities[index] = probability - (probability >>> 5);
    } else {
      range = bound;
      probabilities[index] = probability + ((2048 - probability) >>> 5);
    }
    widen();
    return isOne ? 1 : 0;
  }

  function directBits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      range >>>= 1;
      const isOne = code >= range;
      if (isOne) code -= range;
      value = value * 2 + (isOne ? 1 : 0);
      widen();
    }
    return value;
  }

  function tree(base: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = node * 2 + bit(base + node);
    return node - (1 << bits);
  }

  function reverseTree(base: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const one = bit(base + node);
      node = node * 2 + one;
      value |= one << i;
    }
    return value;
  }

  function length(base: number, position: number): number {
    if (bit(base) === 0) return tree(base + LEN_LOW + position * 8, 3);
    if (bit(base + 1) === 0) return 8 + tree(base + LEN_MID + position * 8, 3);
    return 16 + tree(base + LEN_HIGH, 8);
  }

  function distance(matchLength: number): number {
    const slot = tree(POS_SLOT + Math.min(matchLength, 3) * 64, 6);
    if (slot < 4) return slot;
    const bits = (slot >>> 1) - 1;
    const start = (2 + (slot & 1)) * 2 ** bits;
    if (slot < 14) return start + reverseTree(POS_SPECIAL + start - slot, bits);
    return start + directBits(bits - 4) * 16 + reverseTree(ALIGN, 4);
  }

  function put(byte: number): void {
    if (size === output.length) {
      if (isSizeKnown || size >= MAX_BYTES) throw new Error("the LZMA file is longer than declared");
      const larger = new Uint8Array(size * 2);
      larger.set(output);
      output = larger;
    }
    output[size++] = byte;
  }

  function literal(state: number, back: number): void {
    const before = size === 0 ? 0 : (output[size - 1] as number);
    const context = ((size & ((1 << literalPosition) - 1)) << literalContext) + (before >>> (8 - literalContext));
    const base = LITERAL + LITERAL_SIZE * context;
    let symbol = 1;
    if (state >= 7) {
      let matched = output[size - back - 1] as number;
      do {
        const expected = (matched >>> 7) & 1;
        matched <<= 1;
        const one = bit(base + ((1 + expected) << 8) + symbol);
        symbol = symbol * 2 + one;
        if (expected !== one) break;
      } while (symbol < 0x100);
    }
    while (symbol < 0x100) symbol = symbol * 2 + bit(base + symbol);
    put(symbol - 0x100);
  }

  let state = 0;
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0];
  while (!isSizeKnown || size < declared) {
    const position = size & positionMask;
    if (bit(IS_MATCH + state * 16 + position) === 0) {
      literal(state, rep0);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let copied: number;
    if (bit(IS_REP + state) === 0) {
      [rep3, rep2, rep1] = [rep2, rep1, rep0];
      copied = length(LEN, position);
      state = state < 7 ? 7 : 10;
      rep0 = distance(copied);
      if (rep0 === END_MARKER) break;
      copied += 2;
    } else {
      const isNewest = bit(IS_REP_G0 + state) === 0;
      if (isNewest && bit(IS_REP0_LONG + state * 16 + position) === 0) {
        state = state < 7 ? 9 : 11;
        copied = 1;
      } else {
        if (!isNewest) {
          if (bit(IS_REP_G1 + state) === 0) [rep1, rep0] = [rep0, rep1];
          else if (bit(IS_REP_G2 + state) === 0) [rep2, rep1, rep0] = [rep1, rep0, rep2];
          else [rep3, rep2, rep1, rep0] = [rep2, rep1, rep0, rep3];
        }
        copied = 2 + length(REP_LEN, position);
        state = state < 7 ? 8 : 11;
      }
    }
    if (rep0 >= size) throw new Error("the LZMA file is damaged");
    for (let i = 0; i < copied; i++) put(output[size - rep0 - 1] as number);
  }
  return output.subarray(0, size);
}
