/** Values in memory. Beyond a size of all together, the least recently used ones are evicted. */
export class RecentValues<Key, Value> {
  readonly #maxSize: number;
  readonly #getSize: (value: Value) => number;
  /** Least recently used first. */
  readonly #values = new Map<Key, Value>();
  #size = 0;

  /** @param getSize the size of a value, above 0: by default each counts as 1 */
  constructor(maxSize: number, getSize: (value: Value) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#getSize = getSize;
  }

  get(key: Key): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  /** Keeps a value, also one that alone is larger than all may be. */
  keep(key: Key, value: Value): void {
    this.remove(key);
    this.#values.set(key, value);
    this.#size += this.#getSize(value);
    for (const oldest of this.#values.keys()) {
      if (this.#size <= this.#maxSize || oldest === key) return;
      this.remove(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#size = 0;
  }

  /** Removes the value of a key; with `only`, if it is still that one. */
  remove(key: Key, only?: Value): void {
    const value = this.#values.get(key);
    if (value === undefined || (only !== undefined && value !== only)) return;
    this.#values.delete(key);
    this.#size -= this.#getSize(value);
  }
}
