import type { Pool } from "pg";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import type { SourceRollup } from "@/lib/history/spreads/spread-history";
import { rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { mergeRollups, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly sourceSpreads: Pick<SourceSpreads, "getHours">;
  readonly now: Clock;
}

/** Reads every source's own spreads, of stored hours and of those in memory: SpreadHistory.readBySource. */
export class SourceReader {
  readonly #options: Options;
  readonly #stored = new Map<string, Promise<readonly StoredHour[]>>();

  constructor(options: Options) {
    this.#options = options;
  }

  async read(symbol: string, period: SpreadPeriod): Promise<readonly SourceRollup[]> {
    const nowMs = this.#options.now();
    const startMs = getPeriodStart(period, nowMs);
    const stored = await this.#readStored(symbol, nowMs);
    // An hour stays in memory for a while after it was stored, so it is always in at least one of them.
    const filling = this.#options.sourceSpreads.getHours(symbol);
    const rollups = new Map<string, SpreadRollup>();
    const add = (source: string, rollup: SpreadRollup) =>
      void rollups.set(source, mergeRollups(rollups.get(source) ?? NO_SPREADS, rollup));
    for (const { source, hourMs, rollup, minutes } of stored) {
      if (hourMs + HOUR_MS <= startMs) continue;
      if (filling.some((hour) => hour.source === source && hour.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      add(source, isWhole ? rollup : rollUpMinutes(decodeMinutes(minutes).slice(countMinutesBefore(startMs, hourMs))));
    }
    for (const { source, hourMs, minutes } of filling) {
      add(source, rollUpMinutes(minutes.slice(countMinutesBefore(startMs, hourMs))));
    }
    return Array.from(rollups, ([source, rollup]) => ({ source, rollup })).filter(({ rollup }) => rollup.n > 0);
  }

  /** Drops the cached hours, because hours were written or removed. */
  invalidate(): void {
    this.#stored.clear();
  }

  #readStored(symbol: string, nowMs: number): Promise<readonly StoredHour[]> {
    const cached = this.#stored.get(symbol);
    if (cached !== undefined) return cached;
    const fromMs = getPeriodStart("30d", nowMs);
    const minutesFromMs = Math.floor(getPeriodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
    const hours = readSpreadHours(this.#options.pool, { symbol, kind: "sources", fromMs, minutesFromMs });
    this.#stored.set(symbol, hours);
    hours.catch(() => this.#stored.delete(symbol));
    return hours;
  }
}
