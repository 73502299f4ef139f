import type { Pool } from "pg";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import type { SourceRollup } from "@/lib/history/spreads/spread-history";
import { rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { type Histogram, mergeRollups, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

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
    const found = new Map<string, Omit<SourceRollup, "source">>();
    const add = (source: string, rollup: SpreadRollup, findFirstMs: () => number) => {
      if (rollup.n === 0) return;
      const before = found.get(source);
      found.set(source, {
        rollup: mergeRollups(before?.rollup ?? NO_SPREADS, rollup),
        sinceMs: before?.sinceMs ?? findFirstMs(),
      });
    };
    for (const { source, hourMs, rollup, minutes } of stored) {
      if (hourMs + HOUR_MS <= startMs) continue;
      if (filling.some((hour) => hour.source === source && hour.hourMs === hourMs)) continue;
      const before = countMinutesBefore(startMs, hourMs);
      const decode = () => (minutes === null ? [] : decodeMinutes(minutes));
      const isWhole = before === 0 || minutes === null;
      add(source, isWhole ? rollup : rollUpMinutes(decode().slice(before)), () =>
        findFirstMinute(hourMs, decode(), before),
      );
    }
    for (const { source, hourMs, minutes } of filling) {
      const before = countMinutesBefore(startMs, hourMs);
      add(source, rollUpMinutes(minutes.slice(before)), () => findFirstMinute(hourMs, minutes, before));
    }
    return Array.from(found, ([source, rest]) => ({ source, ...rest }));
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

/** Returns when the first minute with a sample began; the hour's beginning if its minutes are not known. */
function findFirstMinute(hourMs: number, minutes: readonly Histogram[], before: number): number {
  const minute = minutes.findIndex(({ size }, index) => index >= before && size > 0);
  return hourMs + Math.max(0, minute) * MINUTE_MS;
}
