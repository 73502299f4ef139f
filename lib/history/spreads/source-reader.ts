import type { Pool } from "pg";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import { toSteps, toStoredSteps } from "@/lib/history/spreads/source-steps";
import type { SourceRollup, SourceSteps, StepMinutes } from "@/lib/history/spreads/spread-history";
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

/** The steps of the stored hours, which change with the start of the period. */
interface StepEntry {
  readonly startMs: number;
  readonly stored: readonly StoredHour[];
  readonly closed: ReadonlyMap<string, SourceSteps["steps"]>;
}

/** Symbols and periods whose steps are cached. */
const MAX_STEPS = 64;

/** Reads every source's own spreads, of stored hours and of those in memory: SpreadHistory.readBySource. */
export class SourceReader {
  readonly #options: Options;
  readonly #stored = new Map<string, Promise<readonly StoredHour[]>>();
  readonly #steps = new Map<string, StepEntry>();

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
    for (const hour of filling) {
      const before = countMinutesBefore(startMs, hour.hourMs);
      add(hour.source, hour.rollUp(before), () => hour.hourMs + (hour.findFirstMinute(before) ?? 0) * MINUTE_MS);
    }
    return Array.from(found, ([source, rest]) => ({ source, ...rest }));
  }

  async readSteps(symbol: string, period: SpreadPeriod, stepMinutes: StepMinutes): Promise<readonly SourceSteps[]> {
    const nowMs = this.#options.now();
    const startMs = getPeriodStart(period, nowMs);
    const key = `${symbol} ${period} ${stepMinutes}`;
    const stored = await this.#readStored(symbol, nowMs);
    let entry = this.#steps.get(key);
    if (entry === undefined || entry.startMs !== startMs || entry.stored !== stored) {
      entry = { startMs, stored, closed: toStoredSteps(stored, startMs, stepMinutes) };
      if (this.#steps.size >= MAX_STEPS) this.#steps.clear();
      this.#steps.set(key, entry);
    }
    const filling = this.#options.sourceSpreads.getHours(symbol);
    const sources = new Set([...entry.closed.keys(), ...filling.map(({ source }) => source)]);
    return Array.from(sources, (source) => {
      const own = filling.filter((hour) => hour.source === source);
      const isFilling = (atMs: number) => own.some(({ hourMs }) => hourMs <= atMs && atMs < hourMs + HOUR_MS);
      const closed = (entry.closed.get(source) ?? []).filter(({ startMs: atMs }) => !isFilling(atMs));
      const open = own.flatMap(({ hourMs, minutes }) => toSteps(hourMs, minutes, startMs, stepMinutes));
      return { source, steps: [...closed, ...open] };
    }).filter(({ steps }) => steps.length > 0);
  }

  /** Drops the cached hours, because hours were written or removed. */
  invalidate(): void {
    this.#stored.clear();
    this.#steps.clear();
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
