import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { getPeriodStart } from "@/lib/history/spreads/spread-period";
import { addHistogram } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import { computeSpreadWeek, type SpreadQuarter, type SpreadWeek } from "@/lib/history/spreads/spread-week";
import type { StoredHours } from "@/lib/history/spreads/stored-hours";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS } from "@/lib/time/units";

/** Symbols in memory: a megabyte each. */
const MAX_SYMBOLS = 8;
/** Zones of a symbol. */
const MAX_ZONES = 16;
/** Hours decoded before the event loop continues. */
const HOURS_PER_TURN = 20;
const MINUTES_PER_QUARTER = 15;

interface Options {
  readonly pool: Pool;
  readonly storedHours: StoredHours;
  readonly now: Clock;
}

interface Entry {
  readonly stored: readonly StoredHour[];
  readonly quarters: Promise<readonly SpreadQuarter[]>;
  readonly weeks: Map<string, SpreadWeek>;
}

/** Reads the usual spreads of a week: SpreadHistory.readWeek. All readers of a symbol share one query an hour. */
export class WeekReader {
  readonly #options: Options;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: Options) {
    this.#options = options;
  }

  async read(symbol: string, zone: string): Promise<SpreadWeek> {
    const { storedHours, now } = this.#options;
    const nowMs = now();
    const stored = await storedHours.getHours(symbol, nowMs);
    let entry = this.#entries.get(symbol);
    if (entry === undefined || entry.stored !== stored) entry = this.#add(symbol, stored, nowMs);
    const quarters = await entry.quarters;
    const known = entry.weeks.get(zone);
    if (known !== undefined) return known;
    const week = computeSpreadWeek(quarters, zone);
    if (entry.weeks.size >= MAX_ZONES) entry.weeks.clear();
    entry.weeks.set(zone, week);
    return week;
  }

  #add(symbol: string, stored: readonly StoredHour[], nowMs: number): Entry {
    const quarters = this.#readQuarters(symbol, nowMs);
    const entry = { stored, quarters, weeks: new Map<string, SpreadWeek>() };
    quarters.catch(() => this.#entries.get(symbol) === entry && this.#entries.delete(symbol));
    this.#entries.delete(symbol);
    this.#entries.set(symbol, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_SYMBOLS && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }

  async #readQuarters(symbol: string, nowMs: number): Promise<SpreadQuarter[]> {
    const fromMs = getPeriodStart("30d", nowMs);
    const hours = await readSpreadHours(this.#options.pool, { symbol, kind: "served", fromMs, minutesFromMs: fromMs });
    const quarters: SpreadQuarter[] = [];
    for (const [index, { hourMs, minutes }] of hours.entries()) {
      if (index % HOURS_PER_TURN === 0) await nextTurn();
      if (minutes === null) continue;
      const decoded = decodeMinutes(minutes);
      for (let first = 0; first < decoded.length; first += MINUTES_PER_QUARTER) {
        const histogram = new Map<number, number>();
        for (const minute of decoded.slice(first, first + MINUTES_PER_QUARTER)) addHistogram(histogram, minute);
        if (histogram.size > 0) quarters.push({ startMs: hourMs + first * MINUTE_MS, histogram });
      }
    }
    return quarters;
  }
}
