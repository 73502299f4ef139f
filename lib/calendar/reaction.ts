import { setImmediate as nextTurn } from "node:timers/promises";
import { AROUND_MS, measureMove, type Move } from "@/lib/calendar/measure-move";
import type { History } from "@/lib/history/history";
import type { SpreadMinute } from "@/lib/history/spreads/spread-history";
import type { Instrument } from "@/lib/market/instrument";
import { RecentValues } from "@/lib/platform/recent-values";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly history: {
    readonly bars: Pick<History["bars"], "readRange">;
    readonly spreads: Pick<History["spreads"], "readMinutes">;
  };
  /** The market clock, UTC milliseconds. */
  readonly now: Clock;
  readonly maxEntries?: number;
}

interface Entry {
  readonly move: Move | null;
  readonly untilMs: number;
}

/** How many releases of an event are compared, the latest. */
export const MOST_MOVES = 12;

/** About a kilobyte each. */
const MAX_ENTRIES = 2_000;
/** Imports and back-fills add prices of the past. */
const FRESH_MS = HOUR_MS;
/** Prices up to this long before the first measured moment count as known at it. */
const LEAD_MS = 10 * MINUTE_MS;
const TIMEFRAMES = [
  { timeframe: "M1", barMinutes: 1 },
  { timeframe: "M5", barMinutes: 5 },
] as const;

/**
 * What pairs did around releases, measured on stored bars: on those of a minute, or of five minutes where only they are
 * retained. Results are cached. Releases are read one after the other, and each takes the event loop for less than a
 * millisecond.
 */
export class Moves {
  readonly #options: Options;
  readonly #entries: RecentValues<string, Entry>;
  /** Reads under way: callers that need the same pair and releases share the read. */
  readonly #reading = new Map<string, Promise<(Move | null)[]>>();

  constructor(options: Options) {
    this.#options = options;
    this.#entries = new RecentValues(options.maxEntries ?? MAX_ENTRIES);
  }

  /** The move of a pair around each release, in the same order; null without stored prices. UTC milliseconds. */
  read(pair: Instrument, releasesMs: readonly number[]): Promise<(Move | null)[]> {
    const key = `${pair.symbol} ${releasesMs.join()}`;
    let reading = this.#reading.get(key);
    if (reading === undefined) {
      reading = this.#readAll(pair, releasesMs).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #readAll(pair: Instrument, releasesMs: readonly number[]): Promise<(Move | null)[]> {
    const nowMs = this.#options.now();
    const name = (releaseMs: number) => `${pair.symbol} ${releaseMs}`;
    const measured = new Map<number, Move | null>();
    for (const releaseMs of releasesMs) {
      const entry = this.#entries.get(name(releaseMs));
      if (entry !== undefined && entry.untilMs > nowMs) measured.set(releaseMs, entry.move);
    }
    const missing = releasesMs.filter((releaseMs) => !measured.has(releaseMs));
    const minutes = await this.#readSpreads(pair.symbol, missing);
    for (const releaseMs of missing) {
      const move = await this.#measure(pair, releaseMs, minutes, nowMs);
      measured.set(releaseMs, move);
      // The move of a release is known a minute after its last price.
      const isWhole = nowMs > releaseMs + AROUND_MS + MINUTE_MS;
      if (isWhole) this.#entries.keep(name(releaseMs), { move, untilMs: nowMs + FRESH_MS });
      await nextTurn();
    }
    return releasesMs.map((releaseMs) => measured.get(releaseMs) ?? null);
  }

  async #measure(pair: Instrument, releaseMs: number, minutes: readonly SpreadMinute[], nowMs: number) {
    for (const { timeframe, barMinutes } of TIMEFRAMES) {
      const fromMs = releaseMs - AROUND_MS - LEAD_MS;
      const toMs = releaseMs + AROUND_MS;
      const limit = (toMs - fromMs) / (barMinutes * MINUTE_MS);
      const bars = await this.#options.history.bars.readRange(pair.symbol, timeframe, { fromMs, toMs, limit });
      const move = measureMove(releaseMs, { bars, barMinutes, minutes, nowMs }, pair);
      if (move !== null) return move;
    }
    return null;
  }

  #readSpreads(symbol: string, releasesMs: readonly number[]): Promise<readonly SpreadMinute[]> {
    const hours = new Set<number>();
    for (const releaseMs of releasesMs) {
      for (const atMs of [releaseMs - AROUND_MS, releaseMs, releaseMs + AROUND_MS - 1]) {
        hours.add(Math.floor(atMs / HOUR_MS) * HOUR_MS);
      }
    }
    return hours.size === 0 ? Promise.resolve([]) : this.#options.history.spreads.readMinutes(symbol, [...hours]);
  }
}

/** The currencies against which others are traded most, in this order. */
const PARTNERS = ["USD", "EUR", "JPY", "GBP"];
const MOST_PAIRS = 3;

/** Returns the most traded pairs of a currency, at most three; none if it is in no pair. */
export function findMainPairs(currency: string, instruments: readonly Instrument[]): Instrument[] {
  const pairs = PARTNERS.flatMap((partner) =>
    instruments.filter(
      ({ category, base, quote }) =>
        category === "forex" && ((base === currency && quote === partner) || (base === partner && quote === currency)),
    ),
  );
  return pairs.slice(0, MOST_PAIRS);
}
