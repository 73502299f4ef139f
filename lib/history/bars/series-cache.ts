import { toMinuteBars } from "@/lib/history/bars/point-bar";
import type { LiveSeries } from "@/lib/history/bars/series";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

interface Entry {
  readonly live: LiveSeries;
  usedAt: number;
}

/** The series in memory, at most `maxSeries` of them. */
export class SeriesCache {
  readonly #maxSeries: number;
  readonly #entries: ReadonlyMap<Timeframe, Map<string, Entry>>;
  #uses = 0;

  constructor(maxSeries: number) {
    this.#maxSeries = maxSeries;
    this.#entries = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map()]));
  }

  get(symbol: string, timeframe: Timeframe): LiveSeries | undefined {
    const entry = this.#getEntries(timeframe).get(symbol);
    if (entry === undefined) return undefined;
    entry.usedAt = ++this.#uses;
    return entry.live;
  }

  has(symbol: string, timeframe: Timeframe): boolean {
    return this.#getEntries(timeframe).has(symbol);
  }

  set(symbol: string, timeframe: Timeframe, live: LiveSeries): void {
    this.#getEntries(timeframe).set(symbol, { live, usedAt: ++this.#uses });
  }

  /** Removes the least recently used series beyond the bound. */
  evict(): void {
    const all = [...this.#entries.values()].flatMap((entries) =>
      Array.from(entries, ([symbol, { usedAt }]) => ({ entries, symbol, usedAt })),
    );
    all.sort((a, b) => b.usedAt - a.usedAt);
    for (const { entries, symbol } of all.slice(this.#maxSeries)) entries.delete(symbol);
  }

  /** Adds closed hours to every series; `growthStarts` is the time from which each timeframe's bars may still grow. */
  applyClosed(columns: readonly HourColumns[], growthStarts: ReadonlyMap<Timeframe, number>): void {
    for (const hour of columns) {
      const minutes = toMinuteBars(hour);
      for (const [timeframe, entries] of this.#entries) {
        entries.get(hour.symbol)?.live.applyClosed(minutes, growthStarts.get(timeframe) as number);
      }
    }
  }

  clear(): void {
    for (const entries of this.#entries.values()) entries.clear();
  }

  #getEntries(timeframe: Timeframe): Map<string, Entry> {
    return this.#entries.get(timeframe) as Map<string, Entry>;
  }
}
