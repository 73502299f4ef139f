import type { Refusal } from "@/lib/feeds/refusals";
import type { Tick } from "@/lib/market/bar";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** What is known of the ticks of one source, symbol and hour beyond the quotes at the end of each second. */
export interface TalliedHour {
  readonly symbol: string;
  readonly source: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** The highest and lowest accepted bid, and the lowest ask, of each minute; NaN without one. */
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly lowAsks: Float64Array;
  /**
   * How far the broker's clock was behind ours in each minute, in milliseconds: the least time from the broker's time to
   * the receipt. NaN without a tick.
   */
  readonly offsets: Float64Array;
  readonly refused: Map<Refusal, number>;
}

const MINUTES = 60;
/** Refused for the time of the tick, which the broker's clock made. */
const BY_TIME: ReadonlySet<Refusal | null> = new Set<Refusal | null>(["future", "late"]);

/**
 * Counts the ticks of all sources by symbol and hour of their receipt. The hours live in memory until they are stored, so
 * a killed process loses the counts of its last hour; the quotes of each second are stored.
 */
export class TickTally {
  readonly #hours = new Map<number, Map<string, Map<string, TalliedHour>>>();

  onTick({ source, bid, ask, brokerTimeMs, receivedAtMs }: Tick, symbol: string, refusal: Refusal | null): void {
    const hourMs = Math.floor(receivedAtMs / HOUR_MS) * HOUR_MS;
    const hour = this.#open(hourMs, symbol, source);
    const minute = Math.floor((receivedAtMs - hourMs) / MINUTE_MS);
    if (refusal === null || BY_TIME.has(refusal)) {
      const delayMs = receivedAtMs - brokerTimeMs;
      if (!(delayMs >= (hour.offsets[minute] as number))) hour.offsets[minute] = delayMs;
    }
    if (refusal !== null) return void hour.refused.set(refusal, (hour.refused.get(refusal) ?? 0) + 1);
    if (!(bid <= (hour.highs[minute] as number))) hour.highs[minute] = bid;
    if (!(bid >= (hour.lows[minute] as number))) hour.lows[minute] = bid;
    if (!(ask >= (hour.lowAsks[minute] as number))) hour.lowAsks[minute] = ask;
  }

  /** The hour of a symbol and source; undefined without a tick. */
  find(hourMs: number, symbol: string, source: string): TalliedHour | undefined {
    return this.#hours.get(hourMs)?.get(symbol)?.get(source);
  }

  /** The sources that sent ticks of a symbol in an hour. */
  listSources(hourMs: number, symbol: string): string[] {
    return [...(this.#hours.get(hourMs)?.get(symbol)?.keys() ?? [])];
  }

  /** Removes the hours that began before a moment, UTC milliseconds. */
  forget(beforeMs: number): void {
    for (const hourMs of this.#hours.keys()) if (hourMs < beforeMs) this.#hours.delete(hourMs);
  }

  #open(hourMs: number, symbol: string, source: string): TalliedHour {
    let bySymbol = this.#hours.get(hourMs);
    if (bySymbol === undefined) this.#hours.set(hourMs, (bySymbol = new Map<string, Map<string, TalliedHour>>()));
    let bySource = bySymbol.get(symbol);
    if (bySource === undefined) bySymbol.set(symbol, (bySource = new Map<string, TalliedHour>()));
    let hour = bySource.get(source);
    if (hour === undefined) {
      const column = () => new Float64Array(MINUTES).fill(NaN);
      const columns = { highs: column(), lows: column(), lowAsks: column(), offsets: column() };
      hour = { symbol, source, hourMs, ...columns, refused: new Map() };
      bySource.set(source, hour);
    }
    return hour;
  }
}
