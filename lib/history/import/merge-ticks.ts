import type { TickList } from "@/lib/history/import/tick-list";

/** The result of a merge, to which ticks are added in the order of time. A repeated tick is left out. */
export class MergedTicks {
  readonly #to: TickList;
  #count = 0;

  constructor(size: number) {
    this.#to = { ms: new Int32Array(size), bid: new Int32Array(size), ask: new Int32Array(size) };
  }

  add(from: TickList, index: number): void {
    const last = this.#count - 1;
    if (last >= 0 && isSame(this.#to, last, from, index)) return;
    this.#to.ms[this.#count] = from.ms[index] as number;
    this.#to.bid[this.#count] = from.bid[index] as number;
    this.#to.ask[this.#count++] = from.ask[index] as number;
  }

  build(): TickList {
    const { ms, bid, ask } = this.#to;
    if (this.#count === ms.length) return this.#to;
    return { ms: ms.slice(0, this.#count), bid: bid.slice(0, this.#count), ask: ask.slice(0, this.#count) };
  }
}

/**
 * The union of two lists. Where both have ticks of the same millisecond, those that both have count once; others follow
 * the stored ones.
 */
export function mergeTicks(stored: TickList, added: TickList): TickList {
  const result = new MergedTicks(stored.ms.length + added.ms.length);
  let [i, j] = [0, 0];
  while (i < stored.ms.length || j < added.ms.length) {
    const ms = Math.min(stored.ms[i] ?? Infinity, added.ms[j] ?? Infinity);
    const storedEnd = findEnd(stored, i, ms);
    const addedEnd = findEnd(added, j, ms);
    const isWithin = contains(stored, i, storedEnd, added, j, addedEnd);
    if (isWithin || !contains(added, j, addedEnd, stored, i, storedEnd)) {
      for (let at = i; at < storedEnd; at++) result.add(stored, at);
    }
    if (!isWithin) for (let at = j; at < addedEnd; at++) result.add(added, at);
    [i, j] = [storedEnd, addedEnd];
  }
  return result.build();
}

/** The index after the last tick of a millisecond. */
function findEnd({ ms }: TickList, from: number, at: number): number {
  let end = from;
  while (end < ms.length && ms[end] === at) end++;
  return end;
}

/** Whether a list has all ticks of a part of another one, in their order. */
function contains(whole: TickList, from: number, to: number, part: TickList, first: number, end: number): boolean {
  let next = first;
  for (let at = from; at < to && next < end; at++) if (isSame(whole, at, part, next)) next++;
  return next === end;
}

function isSame(a: TickList, i: number, b: TickList, j: number): boolean {
  return a.ms[i] === b.ms[j] && a.bid[i] === b.bid[j] && a.ask[i] === b.ask[j];
}
