import type { BarPage, PageQuote, WireBar } from "@/features/symbols/types";
import { choosePrice, type PriceSide } from "@/lib/market/price";

/** Bars that the page holds, at most: about ten megabytes. */
export const MOST_STORED_BARS = 50_000;

/** The loaded bars of one symbol and timeframe, oldest first, which grow at both ends. */
export class BarStore {
  #bars: WireBar[];
  #values: Map<string, (number | null)[]>;
  #hasOlder: boolean;

  constructor({ bars, values, hasOlder }: BarPage) {
    this.#bars = [...bars];
    this.#values = new Map(Object.entries(values).map(([name, line]) => [name, [...line]]));
    this.#hasOlder = hasOlder;
  }

  get bars(): readonly WireBar[] {
    return this.#bars;
  }

  /** Whether older bars can be loaded. */
  get hasOlder(): boolean {
    return this.#hasOlder && this.#bars.length < MOST_STORED_BARS;
  }

  /** Whether there are older bars which the page has no room for. */
  get isFull(): boolean {
    return this.#hasOlder && this.#bars.length >= MOST_STORED_BARS;
  }

  /** The value of an indicator at each bar; null where it has none. */
  getValues(name: string): readonly (number | null)[] {
    return this.#values.get(name) ?? [];
  }

  /** Adds a page of bars before the first one. */
  prepend({ bars, values, hasOlder }: BarPage): void {
    const firstMs = this.#bars[0]?.[0] ?? Infinity;
    const count = bars.filter(([timeMs]) => timeMs < firstMs).length;
    this.#bars = [...bars.slice(0, count), ...this.#bars];
    for (const [name, line] of this.#values) {
      const older = values[name]?.slice(0, count) ?? Array.from({ length: count }, () => null);
      this.#values.set(name, [...older, ...line]);
    }
    this.#hasOlder = hasOlder;
  }

  /** Replaces the newest bars by a page that has all bars since its first one. */
  replaceNewest({ bars, values }: BarPage): void {
    const fromMs = bars[0]?.[0];
    if (fromMs === undefined) return;
    let kept = this.#bars.length;
    while (kept > 0 && (this.#bars[kept - 1] as WireBar)[0] >= fromMs) kept--;
    this.#bars = [...this.#bars.slice(0, kept), ...bars];
    for (const [name, line] of this.#values) {
      this.#values.set(name, [...line.slice(0, kept), ...(values[name] ?? bars.map(() => null))]);
    }
  }

  /**
   * Replaces or adds the newest bar. Returns "opened" if it is a new one, so that the one before has closed, and
   * "ignored" if it is older than the newest.
   */
  apply(bar: WireBar): "changed" | "opened" | "ignored" {
    const lastMs = this.#bars.at(-1)?.[0] ?? -Infinity;
    if (bar[0] < lastMs) return "ignored";
    if (bar[0] === lastMs) {
      this.#bars[this.#bars.length - 1] = bar;
      return "changed";
    }
    this.#bars.push(bar);
    for (const line of this.#values.values()) line.push(null);
    return "opened";
  }
}

/**
 * Returns the newest bar with the newest price in it. Bars are recorded once a second, so a quote may be newer than its
 * bar. A quote outside the bar's time, which ends at `endMs`, does not change it.
 */
export function withQuote(
  bar: WireBar,
  quote: Pick<PageQuote, "bid" | "ask" | "timeMs"> | null,
  endMs: number,
  side: PriceSide,
): WireBar {
  const [timeMs, open, high, low, , volume] = bar;
  if (quote === null || quote.timeMs < timeMs || quote.timeMs >= endMs) return bar;
  const price = choosePrice(quote, side);
  return [timeMs, open, Math.max(high, price), Math.min(low, price), price, volume];
}
