import { MergedTicks } from "@/lib/history/import/merge-ticks";
import type { TickList } from "@/lib/history/import/tick-list";

const FIRST_SIZE = 4_096;

/** Collects the ticks of an hour, in any order. */
export class TickBuffer {
  #ms = new Int32Array(FIRST_SIZE);
  #bid = new Int32Array(FIRST_SIZE);
  #ask = new Int32Array(FIRST_SIZE);
  #isSorted = true;
  count = 0;

  add(ms: number, bid: number, ask: number): void {
    if (this.count === this.#ms.length) this.#grow();
    if (this.count > 0 && ms < (this.#ms[this.count - 1] as number)) this.#isSorted = false;
    this.#ms[this.count] = ms;
    this.#bid[this.count] = bid;
    this.#ask[this.count++] = ask;
  }

  /** The ticks in the order of time, without repetitions. */
  build(): TickList {
    const all = { ms: this.#ms, bid: this.#bid, ask: this.#ask };
    const order = Array.from({ length: this.#isSorted ? 0 : this.count }, (_, index) => index);
    order.sort((a, b) => (this.#ms[a] as number) - (this.#ms[b] as number) || a - b);
    const result = new MergedTicks(this.count);
    for (let i = 0; i < this.count; i++) result.add(all, this.#isSorted ? i : (order[i] as number));
    return result.build();
  }

  #grow(): void {
    const grow = (column: Int32Array) => {
      const larger = new Int32Array(column.length * 2);
      larger.set(column);
      return larger;
    };
    this.#ms = grow(this.#ms);
    this.#bid = grow(this.#bid);
    this.#ask = grow(this.#ask);
  }
}
