import type { Pool } from "pg";
import type { Quote } from "@/lib/feeds/intake";
import { MAX_VARINT_BYTES, readVarint, readWideChange, writeVarint, writeWideChange } from "@/lib/history/block";
import { MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import type { SourceRollup, SourceSteps, StepMinutes } from "@/lib/history/spreads/spread-history";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import {
  type Histogram,
  mergeRollups,
  NO_SPREADS,
  RollupBuilder,
  rollUpMinutes,
  type SpreadHour,
  type SpreadRollup,
} from "@/lib/history/spreads/spread-rollup";
import { decodeMinutes, readSpreadHours, type StoredHour } from "@/lib/history/spreads/spread-rows";
import { alignPoints, fitDigits, toPoints } from "@/lib/market/price";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly sourceSpreads: Pick<SourceSpreads, "getHours">;
  readonly now: Clock;
  /** Stored hours from this moment on are not read: UTC milliseconds. */
  readonly untilMs: number;
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
    for (const { source, hourMs, digits, rollup, minutes } of stored) {
      if (hourMs + HOUR_MS <= startMs) continue;
      if (filling.some((hour) => hour.source === source && hour.hourMs === hourMs)) continue;
      const before = countMinutesBefore(startMs, hourMs);
      const decode = () => (minutes === null ? [] : decodeMinutes(minutes));
      const isWhole = before === 0 || minutes === null;
      add(source, isWhole ? rollup : rollUpMinutes(decode().slice(before), digits), () =>
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
      const open = own.flatMap((hour) => toSteps(hour, startMs, stepMinutes));
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
    const { pool, untilMs } = this.#options;
    const hours = readSpreadHours(pool, { symbol, kind: "sources", fromMs, minutesFromMs, untilMs });
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

interface Stream {
  readonly symbol: string;
  readonly source: string;
  /** The second of the newest quote, its spread in points of so many digits, and whether it has been counted. */
  second: number;
  spread: number;
  digits: number;
  counted: boolean;
  /** Oldest first. */
  hours: FillingHour[];
}

/**
 * An hour is stored soon after its end. It stays longer in memory, so that a short outage of the database loses
 * nothing.
 */
const MAX_HOURS = 3;
/** Times that go back by less are out of order. */
const CORRECTION_SECONDS = 5;

/**
 * Every source's own spreads of the latest hours: the last quote of each second that had one. They live in memory until
 * their hour is stored, so a killed process loses those of its last hour. They compare brokers; no price depends on them.
 */
export class SourceSpreads {
  readonly #streams = new Map<string, Map<string, Stream>>();

  /** Accepts a quote of any source, in the order of its times. */
  onQuote({ source, instrument, bid, ask, timeMs }: Pick<Quote, "source" | "instrument" | "bid" | "ask" | "timeMs">) {
    const stream = this.#getStream(instrument.symbol, source);
    const second = Math.floor(timeMs / 1000);
    if (second < stream.second) {
      if (stream.second - second < CORRECTION_SECONDS) return;
      // Its clock, or ours, was ahead.
      Object.assign(stream, { second: -1, counted: true });
      stream.hours = stream.hours.filter(({ hourMs }) => hourMs <= timeMs);
    }
    if (second > stream.second) {
      count(stream);
      stream.second = second;
      stream.counted = false;
    }
    stream.digits = fitDigits(ask, instrument.digits);
    stream.spread = toPoints(ask, stream.digits) - toPoints(bid, stream.digits);
  }

  /** One symbol's hours in memory, of all sources, without the current second of each source. */
  getHours(symbol: string): readonly FillingHour[] {
    return [...(this.#streams.get(symbol)?.values() ?? [])].flatMap(({ hours }) => hours);
  }

  /** Counts the seconds before `untilMs` that no later quote has ended, and returns the hours that began in [fromMs, untilMs). */
  collect(fromMs: number, untilMs: number): readonly SpreadHour[] {
    for (const bySource of this.#streams.values()) {
      for (const stream of bySource.values()) if (stream.second * 1000 < untilMs) count(stream);
    }
    const all = [...this.#streams.keys()].flatMap((symbol) => this.getHours(symbol));
    return all.filter(({ hourMs }) => fromMs <= hourMs && hourMs < untilMs);
  }

  /** Continues hours that another process has sampled, in place of those of the same time. */
  restore(hours: readonly SpreadHour[]): void {
    for (const hour of hours) {
      const stream = this.#getStream(hour.symbol, hour.source);
      const others = stream.hours.filter(({ hourMs }) => hourMs !== hour.hourMs);
      stream.hours = [...others, new FillingHour(hour, hour.minutes)].sort((one, other) => one.hourMs - other.hourMs);
      // The other process has counted its current second with them.
      if (getHourMs(stream.second) === hour.hourMs) stream.counted = true;
    }
  }

  #getStream(symbol: string, source: string): Stream {
    let bySource = this.#streams.get(symbol);
    if (bySource === undefined) this.#streams.set(symbol, (bySource = new Map()));
    let stream = bySource.get(source);
    if (stream === undefined) {
      stream = { symbol, source, second: -1, spread: 0, digits: 0, counted: true, hours: [] };
      bySource.set(source, stream);
    }
    return stream;
  }
}

const getHourMs = (second: number): number => Math.floor((second * 1000) / HOUR_MS) * HOUR_MS;

/** Counts a source's current second, once it is over. */
function count(stream: Stream): void {
  const { second, spread, digits, counted } = stream;
  if (counted) return;
  stream.counted = true;
  const hourMs = getHourMs(second);
  let hour = stream.hours.at(-1);
  if (hour === undefined || hour.hourMs < hourMs) {
    hour?.trim();
    hour = new FillingHour({ symbol: stream.symbol, source: stream.source, hourMs, digits });
    stream.hours = [...stream.hours, hour].slice(-MAX_HOURS);
  }
  hour.raise(digits);
  hour.count(Math.floor(second / SECONDS_PER_MINUTE) % MINUTES_PER_HOUR, alignPoints(spread, digits, hour.digits));
}

type Step = SourceSteps["steps"][number];

/** The steps of stored hours by source. Of an hour without minutes there is one step, its roll-up. */
function toStoredSteps(
  stored: readonly StoredHour[],
  startMs: number,
  stepMinutes: StepMinutes,
): ReadonlyMap<string, readonly Step[]> {
  const bySource = new Map<string, Step[]>();
  for (const { source, hourMs, digits, rollup, minutes } of stored) {
    if (hourMs + HOUR_MS <= startMs || rollup.n === 0) continue;
    const isWhole = minutes === null || (hourMs >= startMs && stepMinutes === MINUTES_PER_HOUR);
    const steps = isWhole
      ? [{ startMs: hourMs, rollup }]
      : toSteps({ hourMs, digits, minutes: decodeMinutes(minutes) }, startMs, stepMinutes);
    const before = bySource.get(source);
    if (before === undefined) bySource.set(source, steps);
    else before.push(...steps);
  }
  return bySource;
}

/** The steps of one hour, from the start of the period on. */
function toSteps(
  { hourMs, digits, minutes }: Pick<SpreadHour, "hourMs" | "digits" | "minutes">,
  startMs: number,
  stepMinutes: StepMinutes,
): Step[] {
  const before = countMinutesBefore(startMs, hourMs);
  const steps: Step[] = [];
  for (let first = 0; first < minutes.length; first += stepMinutes) {
    const rollup = rollUpMinutes(minutes.slice(Math.max(first, before), first + stepMinutes), digits);
    if (rollup.n > 0) steps.push({ startMs: hourMs + first * MINUTE_MS, rollup });
  }
  return steps;
}

const FIRST_CAPACITY = 128;

/**
 * An hour of spreads that is still being counted. Only the newest minute has a Map. Each earlier minute is packed: its
 * number, how many different spreads it has, and for each of them the change from the one below and its samples. Maps of
 * all minutes, sources and symbols would take tens of megabytes.
 */
export class FillingHour implements SpreadHour {
  readonly symbol: string;
  readonly source: string;
  readonly hourMs: number;
  #digits: number;
  #packed = new Uint8Array(FIRST_CAPACITY);
  #length = 0;
  #minute = 0;
  readonly #newest = new Map<number, number>();

  /** @param minutes what another process has counted of the hour */
  constructor({ symbol, source, hourMs, digits }: Omit<SpreadHour, "minutes">, minutes: readonly Histogram[] = []) {
    this.symbol = symbol;
    this.source = source;
    this.hourMs = hourMs;
    this.#digits = digits;
    this.#countAll(minutes, digits);
  }

  get digits(): number {
    return this.#digits;
  }

  /** Gives the spreads at least so many digits. */
  raise(digits: number): void {
    if (digits <= this.#digits) return;
    const { minutes, digits: before } = this;
    this.#digits = digits;
    this.#length = 0;
    this.#newest.clear();
    this.#countAll(minutes, before);
  }

  #countAll(minutes: readonly Histogram[], digits: number): void {
    for (const [minute, histogram] of minutes.entries()) {
      for (const [spread, samples] of histogram) this.count(minute, alignPoints(spread, digits, this.#digits), samples);
    }
  }

  get minutes(): readonly Histogram[] {
    const minutes = Array.from({ length: MINUTES_PER_HOUR }, () => new Map<number, number>());
    this.#forEach((minute, spread, samples) => {
      const histogram = minutes[minute];
      histogram?.set(spread, (histogram.get(spread) ?? 0) + samples);
    });
    return minutes;
  }

  /** The roll-up of the hour from one of its minutes on, without a Map for each of them. */
  rollUp(fromMinute = 0): SpreadRollup {
    const total = new RollupBuilder(this.#digits);
    this.#forEach((minute, spread, samples) => {
      if (minute >= fromMinute) total.add(spread, samples);
    });
    return total.build();
  }

  /** Returns the first minute from `fromMinute` on that has a sample; null if there is none. */
  findFirstMinute(fromMinute = 0): number | null {
    let first: number | null = null;
    this.#forEach((minute) => {
      if (minute >= fromMinute && (first === null || minute < first)) first = minute;
    });
    return first;
  }

  /** Adds samples of a spread, in points, to a minute of the hour. */
  count(minute: number, spread: number, samples = 1): void {
    if (minute !== this.#minute) {
      this.#pack();
      this.#minute = minute;
    }
    this.#newest.set(spread, (this.#newest.get(spread) ?? 0) + samples);
  }

  /** Frees the memory that is reserved for more minutes. A late sample can still be counted. */
  trim(): void {
    this.#pack();
    this.#packed = this.#packed.slice(0, this.#length);
  }

  #forEach(visit: (minute: number, spread: number, samples: number) => void): void {
    const reader = { payload: this.#packed, at: 0 };
    while (reader.at < this.#length) {
      const minute = readVarint(reader);
      let spread = 0;
      for (let left = readVarint(reader); left > 0; left--) {
        spread += readWideChange(reader);
        visit(minute, spread, readVarint(reader));
      }
    }
    for (const [spread, samples] of this.#newest) visit(this.#minute, spread, samples);
  }

  #pack(): void {
    if (this.#newest.size === 0) return;
    const needed = this.#length + 2 * MAX_VARINT_BYTES * (1 + this.#newest.size);
    if (needed > this.#packed.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#packed.length));
      larger.set(this.#packed);
      this.#packed = larger;
    }
    let at = writeVarint(this.#packed, this.#length, this.#minute);
    at = writeVarint(this.#packed, at, this.#newest.size);
    let below = 0;
    for (const [spread, samples] of [...this.#newest].sort(([one], [other]) => one - other)) {
      at = writeWideChange(this.#packed, at, spread - below);
      at = writeVarint(this.#packed, at, samples);
      below = spread;
    }
    this.#length = at;
    this.#newest.clear();
  }
}
