import { MINUTE_MS } from "@/lib/time/units";

/** A window is divided into so many parts, of which the oldest leaves at a time. */
const PARTS = 60;

/**
 * The lowest and highest price of the last minutes, to within a sixtieth of the window: never of an older price, and of
 * all those of the last 59 sixtieths. Adding a price allocates nothing.
 */
export class PriceWindow {
  readonly #partMs: number;
  /** By the number of the part since 1970, modulo their count. */
  readonly #numbers = new Float64Array(PARTS).fill(-1);
  readonly #lows = new Float64Array(PARTS);
  readonly #highs = new Float64Array(PARTS);

  constructor(minutes: number) {
    this.#partMs = (minutes * MINUTE_MS) / PARTS;
  }

  /** Adds a price of a time, UTC milliseconds. One that is older than the window is ignored later on. */
  add(price: number, timeMs: number): void {
    const number = Math.floor(timeMs / this.#partMs);
    const at = number % PARTS;
    const held = this.#numbers[at] as number;
    if (held > number) return;
    if (held < number) {
      this.#numbers[at] = number;
      this.#lows[at] = this.#highs[at] = price;
      return;
    }
    if (price < (this.#lows[at] as number)) this.#lows[at] = price;
    if (price > (this.#highs[at] as number)) this.#highs[at] = price;
  }

  /** The lowest price of the window that ends at a time; Infinity without any. */
  findLowest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let lowest = Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) lowest = Math.min(lowest, this.#lows[at] as number);
    return lowest;
  }

  /** The highest price of the window that ends at a time; -Infinity without any. */
  findHighest(nowMs: number): number {
    const oldest = this.#findOldest(nowMs);
    let highest = -Infinity;
    for (let at = 0; at < PARTS; at++)
      if ((this.#numbers[at] as number) >= oldest) highest = Math.max(highest, this.#highs[at] as number);
    return highest;
  }

  #findOldest(nowMs: number): number {
    return Math.floor(nowMs / this.#partMs) - PARTS + 1;
  }
}

/** How far a price is from the lowest and the highest of its window, in percent: at least 0, and at most 0. */
export function computeMoves(price: number, window: PriceWindow, nowMs: number): { up: number; down: number } {
  const [lowest, highest] = [window.findLowest(nowMs), window.findHighest(nowMs)];
  if (lowest === Infinity) return { up: 0, down: 0 };
  return {
    up: Math.max(0, ((price - lowest) / lowest) * 100),
    down: Math.min(0, ((price - highest) / highest) * 100),
  };
}

/** Whether moves reach a percentage, apart from the noise of binary arithmetic. Returns the one that does; null if none. */
export function findMove(
  { up, down }: { readonly up: number; readonly down: number },
  percent: number,
  direction: "up" | "down" | "either",
): number | null {
  const least = percent * (1 - 1e-9);
  const isUp = direction !== "down" && up >= least;
  const isDown = direction !== "up" && -down >= least;
  if (isUp && (!isDown || up >= -down)) return up;
  return isDown ? down : null;
}
