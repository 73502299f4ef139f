import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { PointBar } from "@/lib/history/bars/bar-block";
import type { BarSeries, ManyBars, PastSeries, SeriesKind } from "@/lib/history/bars/bar-history";
import { forgetBars, readRemembered, type RememberedBars } from "@/lib/history/bars/bar-memory";
import { openBlocks } from "@/lib/history/bars/bar-packs";
import {
  type BarRange,
  type BarRow,
  deleteBars,
  insertBars,
  joinBars,
  joinHourBars,
  readBars,
  toBar,
  toMinuteBars,
} from "@/lib/history/bars/bar-rows";
import {
  AHEAD_MS,
  findGrowthStart,
  isBeyondAnHour,
  LiveSeries,
  LOADED_BARS,
  MIN_LOADED_BARS,
  NOT_READ,
  type RecordedInstrument,
} from "@/lib/history/bars/series";
import type { HourColumns } from "@/lib/history/hour-columns";
import type { HourStore } from "@/lib/history/hour-store";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, getBarStart, type StoredTimeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import type { Read } from "@/lib/platform/database/replica";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  /** Reads from the database, or from a replica of it. */
  readonly read: Read;
  readonly openHours: OpenHoursKeeper;
  readonly instruments: readonly RecordedInstrument[];
}

/**
 * The bars in memory, beyond which the least recently used series are evicted: 160 symbols in four timeframes, or thousands
 * that have few bars; about a hundred megabytes.
 */
const MAX_BARS_KEPT = 600_000;
/** The same of those that remember nothing: 160 symbols in two timeframes at least. */
const MAX_WINDOW_BARS = 160_000;
/** What callers ask for most often, the first one first. */
const USUAL_TIMEFRAMES = ["H1", "M5", "D1", "M15", "H4", "M1"] as const satisfies readonly StoredTimeframe[];
/** Series that no call has read leave this share of the memory to the others. */
const USUAL_SHARE = 0.5;
/** Between two queries for series that no call waits for. */
const USUAL_PAUSE_MS = SECOND_MS / 20;
/** Bars are unpacked on the thread that serves prices, so each query has a bounded number of symbols. */
const SYMBOLS_PER_QUERY = 18;
const MAX_HOURS = 2_000;
const EMPTY: BarSeries = { closed: [], past: null, holes: [], forming: null };
const NO_BARS: RememberedBars = { past: null, pastMs: null, bars: [] };
const NONE_BEFORE: PastSeries = { closed: [], past: null, pastMs: null };

/** The stored bars of all symbols. A series is loaded when it is first read, and follows the open hours from then on. */
export class Bars implements ManyBars<StoredTimeframe> {
  readonly store = barStore;
  readonly #read: Read;
  readonly #openHours: OpenHoursKeeper;
  readonly #instruments: Options["instruments"];
  readonly #bySymbol = new Map<string, RecordedInstrument>();
  readonly #cache: SeriesCache;
  /** Series without what is remembered of earlier bars. */
  readonly #windows = new SeriesCache(MAX_WINDOW_BARS);
  readonly #loading = new Map<string, Promise<void>>();
  /** Raised when a running read of the database becomes out of date. */
  #epoch = 0;
  #calmEpoch = 0;

  constructor({ read, openHours, instruments }: Options) {
    this.#read = read;
    this.#openHours = openHours;
    this.#instruments = instruments;
    this.#cache = new SeriesCache(MAX_BARS_KEPT);
  }

  readSeries(
    symbol: string,
    timeframe: StoredTimeframe,
    count = LOADED_BARS,
    kind: SeriesKind = "remembered",
  ): BarSeries | Promise<BarSeries> {
    if (this.#find(symbol) === undefined) return EMPTY;
    const live = this.#getCache(kind, symbol, timeframe, count).get(symbol, timeframe, count);
    return live?.read() ?? this.#getLoaded(symbol, timeframe, count, kind).then((late) => late.read());
  }

  async loadAll(
    symbols: readonly string[],
    timeframe: StoredTimeframe,
    count = LOADED_BARS,
    kind: SeriesKind = "remembered",
  ): Promise<void> {
    const missing = symbols.filter(
      (symbol) =>
        this.#find(symbol) !== undefined &&
        !this.#getCache(kind, symbol, timeframe, count).has(symbol, timeframe, count),
    );
    for (let at = 0; at < missing.length; at += SYMBOLS_PER_QUERY) {
      await this.#load(missing.slice(at, at + SYMBOLS_PER_QUERY), timeframe, count, kind);
    }
  }

  /** Where a series is looked for: one that remembers earlier bars serves everybody. */
  #getCache(kind: SeriesKind, symbol: string, timeframe: StoredTimeframe, count: number): SeriesCache {
    return kind === "window" && !this.#cache.has(symbol, timeframe, count) ? this.#windows : this.#cache;
  }

  /**
   * Loads the series that callers ask for most often, so that they are at hand before the first call, and while the
   * database is away. Does nothing if hours were written since it was called before: more may follow.
   */
  async loadUsual(): Promise<void> {
    const epoch = this.#epoch;
    const isCalm = epoch === this.#calmEpoch;
    this.#calmEpoch = epoch;
    if (!isCalm) return;
    const symbols = this.#instruments.map(({ symbol }) => symbol);
    for (const timeframe of USUAL_TIMEFRAMES) {
      for (let at = 0; at < symbols.length; at += SYMBOLS_PER_QUERY) {
        if (this.#epoch !== epoch || this.#cache.cost > USUAL_SHARE * MAX_BARS_KEPT) return;
        const missing = symbols
          .slice(at, at + SYMBOLS_PER_QUERY)
          .filter((each) => !this.#cache.has(each, timeframe, LOADED_BARS));
        if (missing.length === 0) continue;
        await this.#load(missing, timeframe, LOADED_BARS);
        await pause(USUAL_PAUSE_MS);
      }
    }
  }

  async readRange(
    symbol: string,
    timeframe: StoredTimeframe,
    { fromMs = -Infinity, toMs = Infinity, limit }: { fromMs?: number; toMs?: number; limit: number },
  ): Promise<readonly Bar[]> {
    if (this.#find(symbol) === undefined) return [];
    const live = await this.#getLoaded(symbol, timeframe, MIN_LOADED_BARS);
    const { closed, forming } = live.read();
    const all: readonly Bar[] = forming === null ? closed : [...closed, forming];
    const firstMs = all[0]?.timeMs ?? Infinity;
    const cached = all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs);
    const pick = fromMs === -Infinity ? "latest" : "first";
    const isEnough = live.isWhole || fromMs >= firstMs || (pick === "latest" && cached.length >= limit);
    if (isEnough) return cut(cached, limit, pick);
    // Bars older than those in memory are finished: they cannot change between the two reads.
    const range: BarRange = { symbols: [symbol], timeframe, fromMs, toMs: Math.min(toMs, firstMs), limit, pick };
    const older = (await this.#read((pool) => readBars(pool, range))).get(symbol) ?? [];
    return cut([...older.map(toBar), ...cached], limit, pick);
  }

  async readBefore(
    symbol: string,
    timeframe: StoredTimeframe,
    range: { toMs: number; count: number },
  ): Promise<PastSeries> {
    return (await this.readAllBefore([symbol], timeframe, range)).get(symbol) ?? NONE_BEFORE;
  }

  async readAllBefore(
    symbols: readonly string[],
    timeframe: StoredTimeframe,
    { toMs, count }: { toMs: number; count: number },
  ): Promise<ReadonlyMap<string, PastSeries>> {
    const known = symbols.filter((symbol) => this.#find(symbol) !== undefined);
    // The bars in memory are needed only where they may still grow, or are at hand.
    if (toMs > findGrowthStart(timeframe, this.#openHours)) await this.loadAll(known, timeframe, MIN_LOADED_BARS);
    const found = new Map<string, PastSeries>();
    const older = new Map<number, string[]>();
    for (const symbol of known) {
      const live = this.#cache.get(symbol, timeframe, 0);
      const { closed, past } = live?.read() ?? { ...EMPTY, past: undefined };
      const cached = closed.filter(({ timeMs }) => timeMs < toMs);
      found.set(symbol, { closed: cached, past: past ?? null, pastMs: live?.pastMs ?? null });
      if (past === null || cached.length >= count) continue;
      const untilMs = Math.min(toMs, closed[0]?.timeMs ?? toMs);
      older.set(untilMs, [...(older.get(untilMs) ?? []), symbol]);
    }
    for (const [untilMs, some] of older) {
      for (let at = 0; at < some.length; at += SYMBOLS_PER_QUERY) {
        const range = { symbols: some.slice(at, at + SYMBOLS_PER_QUERY), timeframe, toMs: untilMs, limit: count };
        const read = await this.#read((pool) => readRemembered(pool, range));
        for (const symbol of range.symbols) {
          const { bars, past, pastMs } = read.get(symbol) ?? NO_BARS;
          found.set(symbol, { closed: [...bars, ...(found.get(symbol)?.closed ?? [])], past, pastMs });
        }
        await nextTurn();
      }
    }
    return found;
  }

  /** Adds the bars of hours that were closed, before they are removed from the open ones. */
  applyClosed(columns: readonly HourColumns[]): void {
    this.#epoch++;
    const hourMs = columns[0]?.hourMs;
    const growthStarts = new Map(
      TIMEFRAMES.map((timeframe) => [timeframe, findGrowthStart(timeframe, this.#openHours, hourMs)]),
    );
    for (const cache of [this.#cache, this.#windows]) cache.applyClosed(columns, growthStarts);
  }

  /** Drops all loaded series, because other hours were written or removed. */
  invalidate(): void {
    this.#epoch++;
    for (const cache of [this.#cache, this.#windows]) cache.clear();
  }

  /** The list of instruments may grow. */
  #find(symbol: string): RecordedInstrument | undefined {
    const known = this.#bySymbol.get(symbol);
    if (known !== undefined) return known;
    for (const each of this.#instruments) this.#bySymbol.set(each.symbol, each);
    return this.#bySymbol.get(symbol);
  }

  async #getLoaded(
    symbol: string,
    timeframe: StoredTimeframe,
    count: number,
    kind: SeriesKind = "remembered",
  ): Promise<LiveSeries> {
    for (;;) {
      const live = this.#getCache(kind, symbol, timeframe, count).get(symbol, timeframe, count);
      if (live !== undefined) return live;
      await this.#load([symbol], timeframe, count, kind);
    }
  }

  /** Loads several symbols in one query. Callers that need the same ones share the query. */
  #load(
    symbols: readonly string[],
    timeframe: StoredTimeframe,
    count: number,
    kind: SeriesKind = "remembered",
  ): Promise<void> {
    const key = `${kind} ${timeframe} ${count} ${symbols.join()}`;
    let running = this.#loading.get(key);
    if (running === undefined) {
      running = this.#readSymbols(symbols, timeframe, count, kind).finally(() => this.#loading.delete(key));
      this.#loading.set(key, running);
    }
    return running;
  }

  async #readSymbols(
    symbols: readonly string[],
    timeframe: StoredTimeframe,
    count: number,
    kind: SeriesKind,
  ): Promise<void> {
    const [cache, readLatest] = kind === "window" ? [this.#windows, readWindows] : [this.#cache, readRemembered];
    for (;;) {
      const epoch = this.#epoch;
      const growthStartMs = findGrowthStart(timeframe, this.#openHours);
      // Rows ahead of the market clock were recorded with another clock, and are not current.
      const presentMs = this.#openHours.completeUntilMs + AHEAD_MS;
      const isLong = isBeyondAnHour(timeframe);
      const toMs = isLong ? growthStartMs : presentMs;
      const limit = Math.max(MIN_LOADED_BARS, count);
      const range = { symbols, timeframe, toMs, limit };
      const bars = await this.#read((pool) => readLatest(pool, range));
      const hours = isLong
        ? await this.#readHours(symbols, growthStartMs, presentMs)
        : new Map<string, readonly PointBar[]>();
      if (epoch !== this.#epoch) continue;
      for (const symbol of symbols) {
        const instrument = this.#find(symbol) as RecordedInstrument;
        const parts = { ...(bars.get(symbol) ?? NO_BARS), hours: hours.get(symbol) ?? [] };
        const live = new LiveSeries({ instrument, timeframe, ...parts, loaded: limit }, this.#openHours);
        // Another caller may have loaded more of them meanwhile.
        if (!cache.has(symbol, timeframe, limit)) cache.set(symbol, timeframe, live);
      }
      cache.evict();
      return;
    }
  }

  #readHours(
    symbols: readonly string[],
    fromMs: number,
    toMs: number,
  ): Promise<ReadonlyMap<string, readonly PointBar[]>> {
    const range = { symbols, timeframe: "H1", fromMs, toMs, limit: MAX_HOURS, pick: "first" } as const;
    return this.#read((pool) => readBars(pool, range));
  }
}

/** The latest bars of each symbol alone. */
async function readWindows(pool: Pool, range: Omit<BarRange, "pick">): Promise<ReadonlyMap<string, RememberedBars>> {
  const found = await readBars(pool, { ...range, pick: "latest" });
  const toWindow = (bars: readonly PointBar[]): RememberedBars => ({
    ...{ past: bars.length < range.limit ? null : NOT_READ, pastMs: null },
    bars: bars.map(toBar),
  });
  return new Map(Array.from(found, ([symbol, bars]) => [symbol, toWindow(bars)]));
}

function cut(bars: readonly Bar[], limit: number, pick: "first" | "latest"): readonly Bar[] {
  if (bars.length <= limit) return bars;
  return pick === "first" ? bars.slice(0, limit) : bars.slice(-limit);
}

/** Timeframes whose bars lie within an hour. */
const WITHIN_AN_HOUR = ["M5", "M15", "M30", "H1"] as const satisfies readonly StoredTimeframe[];
/** Timeframes whose bars grow with each hour. */
const BEYOND_AN_HOUR = ["H4", "D1", "W1"] as const satisfies readonly StoredTimeframe[];

/** Statements are built on the thread that serves prices, so each has a bounded number of rows. */
const ROWS_PER_STATEMENT = 2_000;

/** Stores an hour's bars of every timeframe. */
export const barStore: HourStore = {
  async writeHour(client, columns) {
    const hourMs = columns[0]?.hourMs;
    if (hourMs === undefined) return;
    const symbols = columns.map(({ symbol }) => symbol);
    const rows = columns.flatMap(toBarRows);
    const changes = TIMEFRAMES.map((timeframe) => ({ timeframe, sinceMs: getBarStart(timeframe, hourMs) }));
    await forgetBars(client, symbols, changes);
    await openBlocks(client, symbols, hourMs, hourMs + HOUR_MS);
    await deleteBars(client, symbols, hourMs, hourMs + HOUR_MS);
    for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
      await insertBars(client, rows.slice(at, at + ROWS_PER_STATEMENT), "replace");
    }
    for (const timeframe of BEYOND_AN_HOUR) {
      const startMs = getBarStart(timeframe, hourMs);
      await joinHourBars(client, symbols, timeframe, startMs, getBarEnd(timeframe, startMs));
    }
  },
};

function toBarRows(hour: HourColumns): BarRow[] {
  const { symbol } = hour;
  const minutes = toMinuteBars(hour);
  const rows: BarRow[] = minutes.map((bar) => ({ ...bar, symbol, timeframe: "M1" }));
  for (const timeframe of WITHIN_AN_HOUR) {
    for (const bar of joinBars(minutes, timeframe)) rows.push({ ...bar, symbol, timeframe });
  }
  return rows;
}

interface Entry {
  readonly live: LiveSeries;
  usedAt: number;
}

/** What an empty series costs, in bars. */
const EMPTY_COST = 20;
/** So much of the bound is left after an eviction, which sorts all series, so that the next one is far. */
const LEFT = 0.9;

/** The series in memory, with at most `maxBars` in all. */
class SeriesCache {
  readonly #maxBars: number;
  readonly #entries: ReadonlyMap<StoredTimeframe, Map<string, Entry>>;
  #uses = 0;

  constructor(maxBars: number) {
    this.#maxBars = maxBars;
    this.#entries = new Map(TIMEFRAMES.map((timeframe) => [timeframe, new Map()]));
  }

  /** A series that was loaded with so many bars, or has all that there are. */
  get(symbol: string, timeframe: StoredTimeframe, count: number): LiveSeries | undefined {
    const entry = this.#getEntries(timeframe).get(symbol);
    if (entry === undefined || !entry.live.hasLoaded(count)) return undefined;
    entry.usedAt = ++this.#uses;
    return entry.live;
  }

  has(symbol: string, timeframe: StoredTimeframe, count: number): boolean {
    return this.#getEntries(timeframe).get(symbol)?.live.hasLoaded(count) === true;
  }

  set(symbol: string, timeframe: StoredTimeframe, live: LiveSeries): void {
    this.#getEntries(timeframe).set(symbol, { live, usedAt: ++this.#uses });
  }

  #listCosts() {
    return [...this.#entries.values()].flatMap((entries) =>
      Array.from(entries, ([symbol, { live, usedAt }]) => ({ entries, symbol, usedAt, cost: EMPTY_COST + live.size })),
    );
  }

  /** How much room the series take, in bars. */
  get cost(): number {
    return this.#listCosts().reduce((sum, { cost }) => sum + cost, 0);
  }

  /** Removes the least recently used series if there are too many bars. */
  evict(): void {
    let total = this.cost;
    if (total <= this.#maxBars) return;
    const all = this.#listCosts();
    all.sort((a, b) => a.usedAt - b.usedAt);
    for (const { entries, symbol, cost } of all) {
      if (total <= this.#maxBars * LEFT) return;
      entries.delete(symbol);
      total -= cost;
    }
  }

  /** Adds closed hours to every series; `growthStarts` is the time from which each timeframe's bars may still grow. */
  applyClosed(columns: readonly HourColumns[], growthStarts: ReadonlyMap<StoredTimeframe, number>): void {
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

  #getEntries(timeframe: StoredTimeframe): Map<string, Entry> {
    return this.#entries.get(timeframe) as Map<string, Entry>;
  }
}
