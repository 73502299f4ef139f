import type { Dataset } from "@/lib/export/dataset";
import { cutOpenSpans } from "@/lib/history/gaps/gap-rows";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { SECOND_MS } from "@/lib/time/units";

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** None without an instrument, as for one that was removed. */
export function createGapCounter({ leastGapMs }: Dataset, symbol: string | null, span: Span): GapCounter | null {
  const hours = symbol === null ? undefined : instrumentBySymbol.get(symbol)?.tradingHours;
  return leastGapMs === null || hours === undefined ? null : new GapCounter(hours, leastGapMs, span);
}

/** Counts the times without rows while a market was open. */
export class GapCounter {
  readonly #hours: TradingHours;
  readonly #leastMs: number;
  readonly #untilMs: number;
  #coveredUntilMs: number;
  #count = 0;
  #ms = 0;

  /** @param leastMs a shorter time is no gap */
  constructor(hours: TradingHours, leastMs: number, { fromMs, toMs }: Span) {
    this.#hours = hours;
    this.#leastMs = leastMs;
    this.#coveredUntilMs = fromMs;
    this.#untilMs = toMs;
  }

  /** Adds the time of a row. Rows come in order. */
  add(fromMs: number, toMs: number): void {
    if (fromMs - this.#coveredUntilMs >= this.#leastMs) this.#addGap(fromMs);
    if (toMs > this.#coveredUntilMs) this.#coveredUntilMs = toMs;
  }

  finish(): { readonly count: number; readonly seconds: number } {
    if (this.#untilMs - this.#coveredUntilMs >= this.#leastMs) this.#addGap(this.#untilMs);
    return { count: this.#count, seconds: Math.round(this.#ms / SECOND_MS) };
  }

  #addGap(untilMs: number): void {
    for (const open of cutOpenSpans([this.#hours], { fromMs: this.#coveredUntilMs, untilMs })) {
      const ms = open.untilMs - open.fromMs;
      if (ms < this.#leastMs) continue;
      this.#count++;
      this.#ms += ms;
    }
  }
}
