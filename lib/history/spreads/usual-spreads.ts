import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import type { OpenHours } from "@/lib/history/open-hours";
import { getPeriodStart } from "@/lib/history/spreads/spread-period";
import {
  addPoints,
  getPercentiles,
  type SpreadHistogram,
  type SpreadHour,
  toSpreadHour,
} from "@/lib/history/spreads/spread-rollup";
import { decodeMinutes, readSpreadHours } from "@/lib/history/spreads/spread-rows";
import type { Instrument } from "@/lib/market/instrument";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly openHours: Pick<OpenHours, "getHours">;
  readonly instruments: readonly Pick<Instrument, "symbol">[];
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
  readonly monotonic: Clock;
  /** Stored hours from this moment on are not read: UTC milliseconds. */
  readonly untilMs?: number;
}

/** The spread of a symbol in 90 % of the recorded seconds of the last seven days, in price units. */
export interface UsualSpread {
  readonly p5: number;
  readonly p95: number;
}

/** Spreads of fewer recorded seconds are no habit. */
const LEAST_SECONDS = 3_600;
/** Seven days change slowly, and reading them for all symbols takes seconds. */
export const KEPT_MS = 6 * HOUR_MS;
/** A new installation learns its spreads within hours. */
const KEPT_WHILE_FEW_MS = 5 * MINUTE_MS;
/** Hours decoded before the event loop continues: some milliseconds. */
const HOURS_PER_TURN = 24;

/** The usual spreads of all symbols: computed on first use, in small parts, and kept for hours. */
export class UsualSpreads {
  readonly #options: Options;
  #result: { readonly spreads: ReadonlyMap<string, UsualSpread>; readonly untilMs: number } | null = null;
  #running: Promise<ReadonlyMap<string, UsualSpread>> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The usual spread of every symbol that has one. Rejects when the database cannot be read. */
  read(): Promise<ReadonlyMap<string, UsualSpread>> {
    const result = this.#result;
    if (result !== null && this.#options.monotonic() < result.untilMs) return Promise.resolve(result.spreads);
    return (this.#running ??= this.#compute().finally(() => (this.#running = null)));
  }

  async #compute(): Promise<ReadonlyMap<string, UsualSpread>> {
    const { instruments, monotonic } = this.#options;
    const spreads = new Map<string, UsualSpread>();
    for (const { symbol } of instruments) {
      const histogram = await this.#readHistogram(symbol);
      const seconds = [...histogram.values()].reduce((sum, samples) => sum + samples, 0);
      const [p5, p95] = getPercentiles(histogram, [5, 95]);
      if (p5 !== undefined && p95 !== undefined && seconds >= LEAST_SECONDS) spreads.set(symbol, { p5, p95 });
    }
    const keptMs = spreads.size * 2 > instruments.length ? KEPT_MS : KEPT_WHILE_FEW_MS;
    this.#result = { spreads, untilMs: monotonic() + keptMs };
    return spreads;
  }

  async #readHistogram(symbol: string): Promise<SpreadHistogram> {
    const { pool, openHours, now, untilMs = Infinity } = this.#options;
    const fromMs = getPeriodStart("7d", now());
    const stored = await readSpreadHours(pool, { symbol, kind: "served", fromMs, minutesFromMs: fromMs, untilMs });
    const open = openHours.getHours(symbol).filter(({ hourMs }) => hourMs >= fromMs);
    const histogram = new Map<number, number>();
    const add = ({ digits, minutes }: Pick<SpreadHour, "digits" | "minutes">) =>
      minutes.forEach((minute) => addPoints(histogram, minute, digits));
    for (const [index, { hourMs, digits, minutes }] of stored.entries()) {
      if (index % HOURS_PER_TURN === 0) await nextTurn();
      const isClosed = !open.some((hour) => hour.hourMs === hourMs);
      if (minutes !== null && isClosed) add({ digits, minutes: decodeMinutes(minutes) });
    }
    for (const columns of open) add(toSpreadHour(columns));
    return histogram;
  }
}
