import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { OpenHours } from "@/lib/history/open-hours";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SpreadDetail, SpreadStep, StepMinutes } from "@/lib/history/spreads/spread-history";
import { type SpreadHour, toSpreadHour } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { addHistogram, getPercentiles, rollUp } from "@/lib/history/spreads/spread-rollup";
import { readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import type { StoredHours } from "@/lib/history/spreads/stored-hours";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Periods whose stored part is cached; a month of one symbol is some hundred kilobytes. */
const MAX_ENTRIES = 128;
/** Hours decoded before the event loop continues. */
const HOURS_PER_TURN = 20;

interface Options {
  readonly pool: Pool;
  readonly openHours: Pick<OpenHours, "getHours">;
  readonly storedHours: StoredHours;
  readonly now: Clock;
}

interface Entry {
  readonly startMs: number;
  readonly stored: readonly StoredHour[];
  readonly closed: SpreadDetail;
}

/** Reads the spreads of a period in full: SpreadHistory.readDetail. */
export class DetailReader {
  readonly #options: Options;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: Options) {
    this.#options = options;
  }

  async read(symbol: string, period: SpreadPeriod, stepMinutes: StepMinutes = 15): Promise<SpreadDetail> {
    const { openHours, storedHours, now } = this.#options;
    const key = `${symbol} ${period} ${stepMinutes}`;
    for (;;) {
      const nowMs = now();
      const startMs = getPeriodStart(period, nowMs);
      const stored = await storedHours.getHours(symbol, nowMs);
      let entry = this.#entries.get(key);
      if (entry === undefined || entry.startMs !== startMs || entry.stored !== stored) {
        entry = { startMs, stored, closed: await this.#readClosed(symbol, stored, startMs, stepMinutes) };
        this.#add(key, entry);
        // An hour that was closed meanwhile is in neither part.
        if (storedHours.getHours(symbol, nowMs) !== stored) continue;
      }
      return join(entry.closed, toDetail(openHours.getHours(symbol).map(toSpreadHour), startMs, stepMinutes));
    }
  }

  async #readClosed(
    symbol: string,
    stored: readonly StoredHour[],
    startMs: number,
    stepMinutes: StepMinutes,
  ): Promise<SpreadDetail> {
    const fromMs = Math.floor(startMs / HOUR_MS) * HOUR_MS;
    const hours = await readSpreadHours(this.#options.pool, { symbol, kind: "served", fromMs, minutesFromMs: fromMs });
    const open = new Set(this.#options.openHours.getHours(symbol).map(({ hourMs }) => hourMs));
    const closed = new Set(stored.map(({ hourMs }) => hourMs).filter((hourMs) => !open.has(hourMs)));
    let detail: SpreadDetail = { histogram: new Map(), steps: [] };
    for (let first = 0; first < hours.length; first += HOURS_PER_TURN) {
      await nextTurn();
      const decoded = hours
        .slice(first, first + HOURS_PER_TURN)
        .flatMap(({ hourMs, minutes }) =>
          minutes === null || !closed.has(hourMs) ? [] : [{ hourMs, minutes: decodeMinutes(minutes) }],
        );
      detail = join(detail, toDetail(decoded, startMs, stepMinutes));
    }
    return detail;
  }

  #add(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** The detail of some hours, from `startMs` on. */
function toDetail(
  hours: readonly Pick<SpreadHour, "hourMs" | "minutes">[],
  startMs: number,
  stepMinutes: StepMinutes,
): SpreadDetail {
  const histogram = new Map<number, number>();
  const steps: SpreadStep[] = [];
  for (const { hourMs, minutes } of hours) {
    const fromMinute = countMinutesBefore(startMs, hourMs);
    for (let first = 0; first < minutes.length; first += stepMinutes) {
      const step = new Map<number, number>();
      for (const minute of minutes.slice(Math.max(first, fromMinute), first + stepMinutes)) addHistogram(step, minute);
      const [p5, p95] = getPercentiles(step, [5, 95]);
      if (p5 === undefined || p95 === undefined) continue;
      steps.push({ startMs: hourMs + first * MINUTE_MS, rollup: rollUp(step), p5, p95 });
      addHistogram(histogram, step);
    }
  }
  return { histogram, steps };
}

function join(closed: SpreadDetail, open: SpreadDetail): SpreadDetail {
  const histogram = new Map(closed.histogram);
  addHistogram(histogram, open.histogram);
  return { histogram, steps: [...closed.steps, ...open.steps] };
}
