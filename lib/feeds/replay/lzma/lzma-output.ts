/** The limit of a file's unpacked size: far above an hour of ticks. The header of a damaged file may declare any size. */
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;

/** The unpacked bytes, which are also the dictionary of the decoder. */
export class LzmaOutput {
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
