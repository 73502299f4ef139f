import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type HourStore, inLeasedTransaction } from "@/lib/history/hour-store";
import type { OpenHours } from "@/lib/history/open-hours";
import { SourceReader, SourceSpreads } from "@/lib/history/spreads/source-spreads";
import {
  computeSpreadWeek,
  DRAWN_STEPS,
  type PastSpreads,
  type SpreadDetail,
  type SpreadHistory,
  type SpreadMinute,
  type SpreadPercentiles,
  type SpreadQuarter,
  type SpreadStep,
  type SpreadWeek,
  type StepMinutes,
} from "@/lib/history/spreads/spread-history";
import {
  countMinutesBefore,
  getPeriodStart,
  getSessionGroups,
  type SpreadPeriod,
} from "@/lib/history/spreads/spread-period";
import {
  addHistogram,
  addHour,
  addPoints,
  getPercentiles,
  NO_STATISTICS,
  rollUp,
  rollUpColumns,
  rollUpMinutes,
  type SpreadHour,
  type SpreadStatistics,
  toSpreadHour,
} from "@/lib/history/spreads/spread-rollup";
import {
  decodeMinutes,
  encodeSpreadHours,
  readRecentHours,
  readServedMinutes,
  readSpreadHours,
  type StoredHour,
  writeEncodedHours,
  writeSpreadHours,
} from "@/lib/history/spreads/spread-rows";
import type { Instrument } from "@/lib/market/instrument";
import { toPrice } from "@/lib/market/price";
import type { Sessions } from "@/lib/market/sessions/sessions";
import { RecentValues } from "@/lib/platform/recent-values";
import type { Clock } from "@/lib/platform/timing/clock";
import { mapMaybeAsync } from "@/lib/platform/timing/slices";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly openHours: OpenHours;
  readonly instruments: readonly Pick<Instrument, "symbol">[];
  readonly sources: readonly string[];
  readonly sessions: Pick<Sessions, "openAt">;
  /** The market clock, in UTC milliseconds. */
  readonly now: Clock;
}

/** The spreads of a process: their history, and the stores that fill it. */
export class Spreads {
  readonly history: SpreadHistory;
  readonly store: HourStore;
  /** Accepts a quote of any source. */
  readonly onQuote: SourceSpreads["onQuote"];
  readonly #options: Options;
  readonly #sourceSpreads = new SourceSpreads();
  readonly #sourceReader: SourceReader;
  readonly #storedHours: StoredHours;

  constructor(options: Options) {
    const { pool, openHours } = options;
    const sourceSpreads = this.#sourceSpreads;
    const storedHours = new StoredHours(pool, Infinity);
    const readers = openReaders({ ...options, sourceSpreads, storedHours });
    const { sourceReader } = readers;
    this.#options = options;
    this.#storedHours = storedHours;
    this.#sourceReader = sourceReader;
    this.onQuote = (quote) => sourceSpreads.onQuote(quote);
    this.store = { writeHour: (client, columns) => this.#writeHour(client, columns) };
    this.history = {
      ...readers.history,
      readMinutes: (symbol, hoursMs) => readMinutes({ pool, openHours }, symbol, hoursMs),
      getFilling: (symbol) => sourceSpreads.getHours(symbol),
    };
  }

  /** Restores the sources' latest hours that an earlier run or another process saved. */
  async restore(): Promise<void> {
    const { pool, instruments, sources, now } = this.#options;
    const symbols = instruments.map(({ symbol }) => symbol);
    const fromMs = Math.floor(now() / HOUR_MS) * HOUR_MS - HOUR_MS;
    this.#sourceSpreads.restore(await readRecentHours(pool, { symbols, sources, fromMs }));
  }

  /**
   * Stores the sources' own spreads in memory, which otherwise happens when an hour is closed. Throws LeaseLost unless
   * `fence` holds the lease: another server may have closed these hours with more samples.
   */
  async save(fence: number): Promise<void> {
    const { pool, now } = this.#options;
    // Encoding takes longer than a transaction may.
    const encoded = await encodeSpreadHours(this.#sourceSpreads.collect(-Infinity, now()));
    await inLeasedTransaction(pool, fence, (client) => writeEncodedHours(client, encoded));
  }

  /** Drops cached hours, because hours were written or removed. */
  invalidate(): void {
    this.#storedHours.invalidate();
    this.#sourceReader.invalidate();
  }

  /** Stores the spreads of a closed hour: the served quotes', and every source's own. */
  async #writeHour(client: PoolClient, columns: readonly HourColumns[]): Promise<void> {
    const starts = new Set(columns.map(({ hourMs }) => hourMs));
    const bySource = [...starts].flatMap((hourMs) => this.#sourceSpreads.collect(hourMs, hourMs + HOUR_MS));
    await writeSpreadHours(client, [...columns.map(toSpreadHour), ...bySource]);
  }
}

interface ReaderOptions extends Pick<Options, "pool" | "openHours" | "sessions" | "now"> {
  readonly sourceSpreads: Pick<SourceSpreads, "getHours">;
  /** Stored hours from this moment on are not read: UTC milliseconds. */
  readonly untilMs?: number;
  readonly storedHours?: Pick<StoredHours, "getHours">;
}

/** The readers of a history that another clock, and other open hours, may have. */
export function openReaders({ pool, openHours, sessions, now, sourceSpreads, ...rest }: ReaderOptions) {
  const { untilMs = Infinity, storedHours = new StoredHours(pool, untilMs) } = rest;
  const sourceReader = new SourceReader({ pool, sourceSpreads, now, untilMs });
  const statisticsReader = new StatisticsReader({ openHours, storedHours, sessions, now });
  const detailReader = new DetailReader({ pool, openHours, storedHours, now, untilMs });
  const percentileReader = new PercentileReader({ detailReader, getStep: (period) => DRAWN_STEPS[period], now });
  const weekReader = new WeekReader({ pool, storedHours, now, untilMs });
  const history: Omit<PastSpreads, "readMinutes"> = {
    readStatistics: (symbol, period) => statisticsReader.read(symbol, period),
    readDetail: (symbol, period, stepMinutes) => detailReader.read(symbol, period, stepMinutes),
    readBySource: (symbol, period) => sourceReader.read(symbol, period),
    readSourceSteps: (symbol, period, stepMinutes) => sourceReader.readSteps(symbol, period, stepMinutes),
    readPercentiles: (symbol, period) => percentileReader.read(symbol, period),
    readWeek: (symbol, zone) => weekReader.read(symbol, zone),
  };
  return { sourceReader, history };
}

/** Periods whose stored part is cached; a month of one symbol is some hundred kilobytes. */
const MAX_DETAIL_ENTRIES = 128;
/** Hours decoded before the event loop continues. */
const DETAIL_HOURS_PER_TURN = 20;

interface DetailOptions {
  readonly pool: Pool;
  readonly openHours: Pick<OpenHours, "getHours">;
  readonly storedHours: Pick<StoredHours, "getHours">;
  readonly now: Clock;
  readonly untilMs: number;
}

interface DetailEntry {
  readonly startMs: number;
  readonly stored: readonly StoredHour[];
  readonly closed: SpreadDetail;
}

/** Reads the spreads of a period in full: SpreadHistory.readDetail. */
class DetailReader {
  readonly #options: DetailOptions;
  readonly #entries = new RecentValues<string, DetailEntry>(MAX_DETAIL_ENTRIES);

  constructor(options: DetailOptions) {
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
        this.#entries.keep(key, entry);
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
    const { pool, untilMs } = this.#options;
    const hours = await readSpreadHours(pool, { symbol, kind: "served", fromMs, minutesFromMs: fromMs, untilMs });
    const open = new Set(this.#options.openHours.getHours(symbol).map(({ hourMs }) => hourMs));
    const closed = new Set(stored.map(({ hourMs }) => hourMs).filter((hourMs) => !open.has(hourMs)));
    let detail: SpreadDetail = { histogram: new Map(), steps: [] };
    for (let first = 0; first < hours.length; first += DETAIL_HOURS_PER_TURN) {
      await nextTurn();
      const decoded = hours
        .slice(first, first + DETAIL_HOURS_PER_TURN)
        .flatMap(({ hourMs, digits, minutes }) =>
          minutes === null || !closed.has(hourMs) ? [] : [{ hourMs, digits, minutes: decodeMinutes(minutes) }],
        );
      detail = join(detail, toDetail(decoded, startMs, stepMinutes));
    }
    return detail;
  }
}

type Minutes = Pick<SpreadHour, "hourMs" | "digits" | "minutes">;

/** The detail of some hours, from `startMs` on. */
function toDetail(hours: readonly Minutes[], startMs: number, stepMinutes: StepMinutes): SpreadDetail {
  const histogram = new Map<number, number>();
  const steps: SpreadStep[] = [];
  for (const { hourMs, digits, minutes } of hours) {
    const fromMinute = countMinutesBefore(startMs, hourMs);
    for (let first = 0; first < minutes.length; first += stepMinutes) {
      const step = new Map<number, number>();
      for (const minute of minutes.slice(Math.max(first, fromMinute), first + stepMinutes)) addHistogram(step, minute);
      const [p5, p95] = getPercentiles(step, [5, 95]);
      if (p5 === undefined || p95 === undefined) continue;
      const percentiles = { p5: toPrice(p5, digits), p95: toPrice(p95, digits) };
      steps.push({ startMs: hourMs + first * MINUTE_MS, rollup: rollUp(step, digits), ...percentiles });
      addPoints(histogram, step, digits);
    }
  }
  return { histogram, steps };
}

function join(closed: SpreadDetail, open: SpreadDetail): SpreadDetail {
  const histogram = new Map(closed.histogram);
  addHistogram(histogram, open.histogram);
  return { histogram, steps: [...closed.steps, ...open.steps] };
}

/** Every symbol over one period, and some over others. */
const MAX_ENTRIES = 256;

interface Entry {
  readonly minute: number;
  readonly percentiles: Promise<SpreadPercentiles | null>;
}

interface PercentileOptions {
  readonly detailReader: Pick<DetailReader, "read">;
  /** The step of a period that its readers share. */
  readonly getStep: (period: SpreadPeriod) => StepMinutes;
  readonly now: Clock;
}

/** Reads percentiles once a minute for all readers: SpreadHistory.readPercentiles. */
class PercentileReader {
  readonly #options: PercentileOptions;
  readonly #entries = new RecentValues<string, Entry>(MAX_ENTRIES);

  constructor(options: PercentileOptions) {
    this.#options = options;
  }

  read(symbol: string, period: SpreadPeriod): Promise<SpreadPercentiles | null> {
    const minute = Math.floor(this.#options.now() / MINUTE_MS);
    const key = `${symbol} ${period}`;
    const known = this.#entries.get(key);
    if (known?.minute === minute) return known.percentiles;
    const entry = { minute, percentiles: this.#compute(symbol, period) };
    this.#entries.keep(key, entry);
    entry.percentiles.catch(() => this.#entries.remove(key, entry));
    return entry.percentiles;
  }

  async #compute(symbol: string, period: SpreadPeriod): Promise<SpreadPercentiles | null> {
    const { detailReader, getStep } = this.#options;
    const { histogram } = await detailReader.read(symbol, period, getStep(period));
    const [p5, p50, p95] = getPercentiles(histogram, [5, 50, 95]);
    return p5 === undefined || p50 === undefined || p95 === undefined ? null : { p5, p50, p95 };
  }
}

interface Parts {
  readonly pool: Pool;
  readonly openHours: Pick<OpenHours, "getHours">;
}

/** Hours decoded before the event loop continues. */
const MINUTE_HOURS_PER_TURN = 8;

/** Reads the median spread of each minute in some hours: SpreadHistory.readMinutes. */
async function readMinutes(
  { pool, openHours }: Parts,
  symbol: string,
  hoursMs: readonly number[],
): Promise<SpreadMinute[]> {
  const stored = await readServedMinutes(pool, symbol, hoursMs);
  // An hour that was just closed may be in both places.
  const open = openHours.getHours(symbol).filter(({ hourMs }) => hoursMs.includes(hourMs));
  const closed = stored.filter(({ hourMs }) => !open.some((hour) => hour.hourMs === hourMs));
  const minutes: SpreadMinute[] = [];
  for (const [index, hour] of closed.entries()) {
    if (index % MINUTE_HOURS_PER_TURN === MINUTE_HOURS_PER_TURN - 1) await nextTurn();
    minutes.push(...toMinutes({ ...hour, minutes: decodeMinutes(hour.minutes) }));
  }
  return [...minutes, ...open.map(toSpreadHour).flatMap(toMinutes)].sort((a, b) => a.startMs - b.startMs);
}

function toMinutes({ hourMs, digits, minutes }: Minutes): SpreadMinute[] {
  return minutes.flatMap((histogram, minute) => {
    const [median] = getPercentiles(histogram, [50]);
    return median === undefined ? [] : [{ startMs: hourMs + minute * MINUTE_MS, median: toPrice(median, digits) }];
  });
}

interface StatisticsOptions {
  readonly openHours: OpenHours;
  readonly storedHours: Pick<StoredHours, "getHours">;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly now: Clock;
}

/** The result for one symbol and period, with its inputs. */
interface StatisticsEntry {
  startMs: number;
  stored: readonly StoredHour[];
  /** The part from stored hours: it changes with the minute or the hour, not with every second. */
  closed: SpreadStatistics;
  revision: number;
  statistics: SpreadStatistics | null;
}

/** Reads statistics of the served spreads: SpreadHistory.readStatistics. */
class StatisticsReader {
  readonly #options: StatisticsOptions;
  readonly #entries = new Map<string, StatisticsEntry>();

  constructor(options: StatisticsOptions) {
    this.#options = options;
  }

  read(symbol: string, period: SpreadPeriod): SpreadStatistics | null | Promise<SpreadStatistics | null> {
    const nowMs = this.#options.now();
    const hours = this.#options.storedHours.getHours(symbol, nowMs);
    return mapMaybeAsync(hours, (stored) => this.#compute(symbol, period, stored, nowMs));
  }

  #compute(symbol: string, period: SpreadPeriod, stored: readonly StoredHour[], nowMs: number) {
    const { openHours } = this.#options;
    const key = `${symbol} ${period}`;
    const startMs = getPeriodStart(period, nowMs);
    const { revision } = openHours;
    let entry = this.#entries.get(key);
    if (entry === undefined || entry.startMs !== startMs || entry.stored !== stored) {
      const closed = this.#addStored(stored, openHours.getHours(symbol), startMs);
      this.#entries.set(key, (entry = { startMs, stored, closed, revision: NaN, statistics: null }));
    }
    if (entry.revision !== revision) {
      const statistics = this.#addOpen(entry.closed, openHours.getHours(symbol), startMs);
      entry.statistics = statistics.total.n === 0 ? null : statistics;
      entry.revision = revision;
    }
    return entry.statistics;
  }

  #addStored(stored: readonly StoredHour[], open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = NO_STATISTICS;
    for (const { hourMs, digits, rollup, minutes } of stored) {
      if (hourMs + HOUR_MS <= startMs || open.some((columns) => columns.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      const rest = isWhole ? [] : decodeMinutes(minutes).slice(countMinutesBefore(startMs, hourMs));
      const part = isWhole ? rollup : rollUpMinutes(rest, digits);
      statistics = addHour(statistics, getSessionGroups(this.#options.sessions, hourMs), part);
    }
    return statistics;
  }

  #addOpen(closed: SpreadStatistics, open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = closed;
    for (const columns of open) {
      const rollup = rollUpColumns(columns, countMinutesBefore(startMs, columns.hourMs));
      statistics = addHour(statistics, getSessionGroups(this.#options.sessions, columns.hourMs), rollup);
    }
    return statistics;
  }
}

interface Track {
  hours: readonly StoredHour[];
  isCurrent: boolean;
  reading: Promise<readonly StoredHour[]> | null;
}

/** Each symbol's stored hours of the last 30 days in memory: read on first use, and again once they have changed. */
export class StoredHours {
  readonly #pool: Pool;
  readonly #untilMs: number;
  readonly #tracks = new Map<string, Track>();

  /** @param untilMs hours from this moment on are not read: UTC milliseconds */
  constructor(pool: Pool, untilMs: number) {
    this.#pool = pool;
    this.#untilMs = untilMs;
  }

  /**
   * All stored hours, oldest first; the latest day's with their minutes. The array is replaced, never changed. Synchronous
   * when it is in memory; rejects when the database cannot be read.
   */
  getHours(symbol: string, nowMs: number): readonly StoredHour[] | Promise<readonly StoredHour[]> {
    let track = this.#tracks.get(symbol);
    if (track === undefined) this.#tracks.set(symbol, (track = { hours: [], isCurrent: false, reading: null }));
    if (track.reading !== null) return track.reading;
    return track.isCurrent ? track.hours : (track.reading = this.#read(symbol, track, nowMs));
  }

  /** Drops cached hours, because hours were written or removed. */
  invalidate(): void {
    for (const track of this.#tracks.values()) track.isCurrent = false;
  }

  async #read(symbol: string, track: Track, nowMs: number): Promise<readonly StoredHour[]> {
    try {
      // The result may or may not contain rows that are written during the read.
      do {
        track.isCurrent = true;
        const fromMs = getPeriodStart("30d", nowMs);
        const minutesFromMs = Math.floor(getPeriodStart("24h", nowMs) / HOUR_MS) * HOUR_MS;
        const query = { symbol, kind: "served", fromMs, minutesFromMs, untilMs: this.#untilMs } as const;
        track.hours = await readSpreadHours(this.#pool, query);
      } while (!track.isCurrent);
      return track.hours;
    } catch (error) {
      track.isCurrent = false;
      throw error;
    } finally {
      track.reading = null;
    }
  }
}

/** Symbols in memory: a megabyte each. */
const MAX_SYMBOLS = 8;
/** Zones of a symbol. */
const MAX_ZONES = 16;
/** Hours decoded before the event loop continues. */
const WEEK_HOURS_PER_TURN = 20;
const MINUTES_PER_QUARTER = 15;

interface WeekOptions {
  readonly pool: Pool;
  readonly storedHours: Pick<StoredHours, "getHours">;
  readonly now: Clock;
  readonly untilMs: number;
}

interface WeekEntry {
  readonly stored: readonly StoredHour[];
  readonly quarters: Promise<readonly SpreadQuarter[]>;
  readonly weeks: Map<string, SpreadWeek>;
}

/** Reads the usual spreads of a week: SpreadHistory.readWeek. All readers of a symbol share one query an hour. */
class WeekReader {
  readonly #options: WeekOptions;
  readonly #entries = new RecentValues<string, WeekEntry>(MAX_SYMBOLS);

  constructor(options: WeekOptions) {
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

  #add(symbol: string, stored: readonly StoredHour[], nowMs: number): WeekEntry {
    const quarters = this.#readQuarters(symbol, nowMs);
    const entry = { stored, quarters, weeks: new Map<string, SpreadWeek>() };
    this.#entries.keep(symbol, entry);
    quarters.catch(() => this.#entries.remove(symbol, entry));
    return entry;
  }

  async #readQuarters(symbol: string, nowMs: number): Promise<SpreadQuarter[]> {
    const fromMs = getPeriodStart("30d", nowMs);
    const { pool, untilMs } = this.#options;
    const hours = await readSpreadHours(pool, { symbol, kind: "served", fromMs, minutesFromMs: fromMs, untilMs });
    const quarters: SpreadQuarter[] = [];
    for (const [index, { hourMs, digits, minutes }] of hours.entries()) {
      if (index % WEEK_HOURS_PER_TURN === 0) await nextTurn();
      if (minutes === null) continue;
      const decoded = decodeMinutes(minutes);
      for (let first = 0; first < decoded.length; first += MINUTES_PER_QUARTER) {
        const histogram = new Map<number, number>();
        for (const minute of decoded.slice(first, first + MINUTES_PER_QUARTER)) addPoints(histogram, minute, digits);
        if (histogram.size > 0) quarters.push({ startMs: hourMs + first * MINUTE_MS, histogram });
      }
    }
    return quarters;
  }
}
