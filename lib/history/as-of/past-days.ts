import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { readBars, toBar, toMinuteBars } from "@/lib/history/bars/bar-rows";
import { type DayHistory, DayTrack } from "@/lib/history/days";
import type { OpenHours } from "@/lib/history/open-hours";
import { decodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { findFirstAt } from "@/lib/history/ticks/ready-hours";
import type { TickHistory, TickRange } from "@/lib/history/ticks/tick-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import type { Read } from "@/lib/platform/database/replica";
import { RecentValues } from "@/lib/platform/recent-values";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly read: Read;
  readonly openHours: Pick<OpenHours, "getHours">;
  readonly instruments: readonly Pick<Instrument, "symbol" | "tradingHours">[];
}

/** More than two days of quarters of an hour, as the running day has. */
const BARS = 200;
/** Bars and blocks are unpacked on the thread that serves pages, so each query has a bounded number of symbols. */
const SYMBOLS_PER_QUERY = 18;
/** Hours in memory: some 12 MB each. */
const MAX_HOURS = 2;

/** What is recorded of a symbol around an hour. */
interface SymbolHour {
  /** Bars of a quarter of an hour before the hour, oldest first. */
  readonly quarters: readonly Bar[];
  /** The minutes of the hour. */
  readonly minutes: readonly Bar[];
  /** The seconds of the hour; null without any. */
  readonly ticks: HourTicks | null;
}

type MarketHour = ReadonlyMap<string, SymbolHour>;

/**
 * The trading days of all symbols as they were at a second: from the bars before it, and in its minute from the recorded
 * seconds. The days of one hour share what is read of the database.
 */
export class PastDays {
  readonly #options: Options;
  readonly #hours = new RecentValues<number, Promise<MarketHour>>(MAX_HOURS, () => 1);

  constructor(options: Options) {
    this.#options = options;
  }

  /** Drops what was read, because hours were written again or removed. */
  clear(): void {
    this.#hours.clear();
  }

  /** The days at a moment, UTC milliseconds. `load` reads them. */
  at(atMs: number): DayHistory {
    const tracks = new Map<string, DayTrack>();
    let loading: Promise<void> | null = null;
    const load = async () => {
      const hour = await this.#readHour(Math.floor(atMs / HOUR_MS) * HOUR_MS);
      for (const instrument of this.#options.instruments) {
        const track = new DayTrack(instrument);
        for (const bar of listSpans(hour.get(instrument.symbol), atMs)) track.add(bar);
        tracks.set(instrument.symbol, track);
      }
    };
    return {
      load: () =>
        (loading ??= load().catch((error: unknown) => {
          loading = null;
          throw error;
        })),
      read: (symbol) => tracks.get(symbol)?.read(),
      readQuarters: (symbol) => tracks.get(symbol)?.readQuarters() ?? [],
    };
  }

  async #readHour(hourMs: number): Promise<MarketHour> {
    const { openHours, instruments } = this.#options;
    const open = instruments.flatMap(({ symbol }) => openHours.getHours(symbol));
    // Hours that are still filling are in memory, and what is stored of them changes.
    if (open.some((hour) => hour.hourMs <= hourMs)) return this.#load(hourMs);
    const known = this.#hours.get(hourMs);
    if (known !== undefined) return known;
    const loading = this.#load(hourMs);
    this.#hours.keep(hourMs, loading);
    loading.catch(() => this.#hours.clear());
    return loading;
  }

  async #load(hourMs: number): Promise<MarketHour> {
    const { read, openHours, instruments } = this.#options;
    const hour = new Map<string, SymbolHour>();
    for (let from = 0; from < instruments.length; from += SYMBOLS_PER_QUERY) {
      const symbols = instruments.slice(from, from + SYMBOLS_PER_QUERY).map(({ symbol }) => symbol);
      const [quarters, minutes, ticks] = await read((pool) =>
        Promise.all([
          readBars(pool, { symbols, timeframe: "M15", toMs: hourMs, limit: BARS, pick: "latest" }),
          readBars(pool, {
            symbols,
            timeframe: "M1",
            fromMs: hourMs,
            toMs: hourMs + HOUR_MS,
            limit: 60,
            pick: "latest",
          }),
          readTicks(pool, symbols, hourMs),
        ]),
      );
      for (const symbol of symbols) {
        const columns = openHours.getHours(symbol);
        const own = columns.find((each) => each.hourMs === hourMs);
        const earlier = columns.filter((each) => each.hourMs < hourMs).flatMap((each) => toMinuteBars(each));
        hour.set(symbol, {
          quarters: [...(quarters.get(symbol) ?? []), ...earlier].map(toBar),
          minutes: (own === undefined ? (minutes.get(symbol) ?? []) : toMinuteBars(own)).map(toBar),
          ticks: own === undefined ? (ticks.get(symbol) ?? null) : toTicks(own),
        });
      }
      await nextTurn();
    }
    return hour;
  }
}

async function readTicks(pool: Pool, symbols: readonly string[], hourMs: number): Promise<Map<string, HourTicks>> {
  const { rows } = await pool.query<{ symbol: string; block: Buffer }>(
    "SELECT symbol, block FROM tick_hour WHERE symbol = ANY ($1) AND hour = $2",
    [symbols, hourMs / HOUR_MS],
  );
  return new Map(rows.map(({ symbol, block }) => [symbol, decodeHour(block)]));
}

/** The bars before a moment, oldest first, and the seconds that no closed bar has. */
function* listSpans(hour: SymbolHour | undefined, atMs: number): Generator<Bar> {
  if (hour === undefined) return;
  yield* hour.quarters;
  const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  let untilMs = hourMs;
  for (const bar of hour.minutes) {
    if (bar.timeMs + MINUTE_MS > atMs) break;
    yield bar;
    untilMs = bar.timeMs + MINUTE_MS;
  }
  if (hour.ticks !== null) yield* listSeconds(hour.ticks, hourMs, untilMs, atMs);
}

/** The recorded seconds in [fromMs, toMs) as bars of one update. */
function* listSeconds(ticks: HourTicks, hourMs: number, fromMs: number, toMs: number): Generator<Bar> {
  const { digits, seconds, bid } = ticks;
  const end = findFirstAt(ticks, Math.ceil((toMs - hourMs) / SECOND_MS));
  for (let at = findFirstAt(ticks, Math.ceil((fromMs - hourMs) / SECOND_MS)); at < end; at++) {
    const price = toPrice(bid[at] as number, digits);
    const timeMs = hourMs + (seconds[at] as number) * SECOND_MS;
    yield { timeMs, open: price, high: price, low: price, close: price, volume: 1 };
  }
}

/** The ticks that were recorded before a moment, UTC milliseconds. */
export function endTicks(ticks: TickHistory, atMs: number): Pick<TickHistory, "readRange"> {
  return {
    async readRange(symbol: string, fromMs: number, toMs: number): Promise<TickRange> {
      const range = await ticks.readRange(symbol, fromMs, Math.max(fromMs, Math.min(toMs, atMs)));
      return { ...range, toMs, knownUntilMs: Math.max(fromMs, Math.min(range.knownUntilMs, atMs)) };
    },
  };
}
