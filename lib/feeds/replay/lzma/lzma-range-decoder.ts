const EVEN_PROBABILITY = 1 << 10;
const MAX_RANGE = 0xffffffff;
const MIN_RANGE = 2 ** 24;

/** LZMA's arithmetic decoder: reads bits by their adaptive probabilities. */
export class RangeDecoder {
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
