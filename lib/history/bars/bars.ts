import type { Pool } from "pg";
import { type BarRange, readBars } from "@/lib/history/bars/bar-rows";
import { barStore } from "@/lib/history/bars/bar-store";
import { type PointBar, toBar,toMinuteBars } from "@/lib/history/bars/point-bar";
import { createSeries, findGrowthStart, isBeyondAnHour, type LiveSeries, LOADED_BARS } from "@/lib/history/bars/series";
import type { BarHistory, BarSeries, HourStore } from "@/lib/history/history";
import { type HourColumns } from "@/lib/history/hour-columns";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { HOUR_MS } from "@/lib/time/units";

/** The keeper of bars: series are loaded when they are first asked for, and follow the open hours from then on. */
export interface Bars extends BarHistory {
  readonly store: HourStore;
  /** Takes over the bars of hours that were closed, before they are dropped from the open ones. */
  applyClosed(columns: readonly HourColumns[]): void;
  /** Forgets what was loaded: other hours were written or removed. */
  invalidate(): void;
}

interface Options {
  readonly pool: Pool;
  readonly openHours: OpenHoursKeeper;
  readonly instruments: readonly Pick<Instrument, "symbol" | "digits">[];
  /** Series kept in memory; those not asked for the longest are let go. */
  readonly maxSeries?: number;
}

interface Kept {
  readonly live: LiveSeries;
  usedAt: number;
}

/** All symbols in four timeframes: about a hundred megabytes. */
const MAX_SERIES = 648;
/** Bars are unpacked on the thread that serves prices, so some at a time. */
const SYMBOLS_A_QUERY = 18;
const LONGEST_IN_HOURS = 2_000;
const EMPTY: BarSeries = { closed: [], forming: null };

export function createBars({ pool, openHours, instruments, maxSeries = MAX_SERIES }: Options): Bars {
  const digitsOf = new Map(instruments.map(({ symbol, digits }) => [symbol, digits]));
  const kept = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map<string, Kept>()]));
  const loading = new Map<string, Promise<void>>();
  let uses = 0;
  /** Raised with whatever makes an answer of the database that is under way a thing of the past. */
  let epoch = 0;

  const of = (timeframe: Timeframe) => kept.get(timeframe) as Map<string, Kept>;

  /** Loads series, several symbols in one query. Nobody waits twice for the same. */
  function load(symbols: readonly string[], timeframe: Timeframe): Promise<void> {
    const key = `${timeframe} ${symbols.join()}`;
    let running = loading.get(key);
    if (running === undefined) {
      running = readAndKeep(symbols, timeframe).finally(() => loading.delete(key));
      loading.set(key, running);
    }
    return running;
  }

  async function readAndKeep(symbols: readonly string[], timeframe: Timeframe): Promise<void> {
    const isLong = isBeyondAnHour(timeframe);
    for (;;) {
      const begunIn = epoch;
      const growsFromMs = findGrowthStart(timeframe, openHours);
      // What lies ahead of the market clock was recorded by another one, and is not the present.
      const presentMs = openHours.completeUntilMs + HOUR_MS;
      const toMs = isLong ? growsFromMs : presentMs;
      const bars = await readBars(pool, { symbols, timeframe, toMs, limit: LOADED_BARS, pick: "latest" });
      const inHours = { symbols, timeframe: "H1", fromMs: growsFromMs, toMs: presentMs } as const;
      const hours = isLong
        ? await readBars(pool, { ...inHours, limit: LONGEST_IN_HOURS, pick: "first" })
        : new Map<string, PointBar[]>();
      if (begunIn !== epoch) continue;
      for (const symbol of symbols) {
        const read = bars.get(symbol) ?? [];
        const parts = { symbol, timeframe, bars: read, hours: hours.get(symbol) ?? [] };
        const digits = digitsOf.get(symbol) as number;
        const live = createSeries({ ...parts, digits, isWhole: read.length < LOADED_BARS }, openHours);
        of(timeframe).set(symbol, { live, usedAt: ++uses });
      }
      return letGo();
    }
  }

  function letGo(): void {
    const all = [...kept.values()].flatMap((series) =>
      [...series].map(([symbol, { usedAt }]) => ({ series, symbol, usedAt })),
    );
    all.sort((a, b) => b.usedAt - a.usedAt);
    for (const { series, symbol } of all.slice(maxSeries)) series.delete(symbol);
  }

  function inMemory(symbol: string, timeframe: Timeframe): LiveSeries | undefined {
    const found = of(timeframe).get(symbol);
    if (found === undefined) return undefined;
    found.usedAt = ++uses;
    return found.live;
  }

  async function loaded(symbol: string, timeframe: Timeframe): Promise<LiveSeries> {
    for (;;) {
      const live = inMemory(symbol, timeframe);
      if (live !== undefined) return live;
      await load([symbol], timeframe);
    }
  }

  return {
    store: barStore,

    readSeries(symbol, timeframe) {
      if (!digitsOf.has(symbol)) return EMPTY;
      const live = inMemory(symbol, timeframe);
      return live === undefined ? loaded(symbol, timeframe).then((late) => late.read()) : live.read();
    },

    async loadAll(timeframe) {
      const missing = [...digitsOf.keys()].filter((symbol) => !of(timeframe).has(symbol));
      for (let at = 0; at < missing.length; at += SYMBOLS_A_QUERY) {
        await load(missing.slice(at, at + SYMBOLS_A_QUERY), timeframe);
      }
    },

    async readRange(symbol, timeframe, { fromMs = -Infinity, toMs = Infinity, limit }) {
      const digits = digitsOf.get(symbol);
      if (digits === undefined) return [];
      const live = await loaded(symbol, timeframe);
      const { closed, forming } = live.read();
      const all: readonly Bar[] = forming === null ? closed : [...closed, forming];
      const firstMs = all[0]?.timeMs ?? Infinity;
      const here = all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
      const pick = fromMs === -Infinity ? "latest" : "first";
      if (live.isWhole || fromMs >= firstMs || (pick === "latest" && here.length >= limit))
        return cut(here, limit, pick);
      // Bars older than those in memory are finished: nothing can change between the two looks.
      const older: BarRange = { symbols: [symbol], timeframe, fromMs, toMs: Math.min(toMs, firstMs), limit, pick };
      const read = (await readBars(pool, older)).get(symbol) ?? [];
      return cut([...read.map((bar) => toBar(bar, digits)), ...here], limit, pick);
    },

    applyClosed(columns) {
      epoch++;
      const hourMs = columns[0]?.hourMs;
      const growsFromMs = new Map(
        TIMEFRAMES.map((timeframe) => [timeframe, findGrowthStart(timeframe, openHours, hourMs)]),
      );
      for (const hour of columns) {
        const minutes = toMinuteBars(hour);
        for (const [timeframe, series] of kept) {
          series.get(hour.symbol)?.live.applyClosed(minutes, growsFromMs.get(timeframe) as number);
        }
      }
    },

    invalidate() {
      epoch++;
      for (const series of kept.values()) series.clear();
    },
  };
}

function cut(bars: readonly Bar[], limit: number, pick: "first" | "latest"): readonly Bar[] {
  if (bars.length <= limit) return bars;
  return pick === "first" ? bars.slice(0, limit) : bars.slice(-limit);
}
