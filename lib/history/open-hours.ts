import {
  createHourColumns,
  type HourColumns,
  type SecondRow,
  SECONDS_PER_HOUR,
  writeSecond,
} from "@/lib/history/hour-columns";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** The hours that are still filling: normally one, two around the turn of the hour. */
export interface OpenHours {
  /** One symbol's open hours that have rows, oldest first. */
  getHours(symbol: string): readonly HourColumns[];
  /** Raised with every second written into any of the hours. */
  readonly revision: number;
}

interface Track {
  hours: readonly HourColumns[];
  revision: number;
}

const NO_HOURS: readonly HourColumns[] = [];

/** The open hours with write access: stored rows are added, closed hours removed. */
export class OpenHoursKeeper implements OpenHours {
  readonly #instruments: readonly Pick<Instrument, "symbol">[];
  readonly #tracks = new Map<string, Track>();
  #revision = 0;
  #completeUntilMs = 0;
  #newestSecond = 0;

  /** @param instruments may grow later */
  constructor(instruments: readonly Pick<Instrument, "symbol">[]) {
    this.#instruments = instruments;
  }

  get revision(): number {
    return this.#revision;
  }

  /** All ticks before this moment of the market clock have been stored: UTC milliseconds. */
  get completeUntilMs(): number {
    return this.#completeUntilMs;
  }

  /** When the newest second begins, or `completeUntilMs` if that is later: UTC milliseconds. */
  get newestMs(): number {
    return Math.max(this.#newestSecond * SECOND_MS, this.#completeUntilMs);
  }

  /** Removes what lies after a moment, UTC milliseconds: a clock that was ahead has come back. */
  setBack(untilMs: number): void {
    this.#completeUntilMs = Math.min(this.#completeUntilMs, untilMs);
    this.#newestSecond = Math.min(this.#newestSecond, Math.floor(untilMs / SECOND_MS));
    for (const track of this.#tracks.values()) {
      track.hours = track.hours.filter(({ hourMs }) => hourMs <= untilMs);
      for (const hour of track.hours) {
        hour.updates.fill(0, Math.floor((untilMs - hour.hourMs) / SECOND_MS) + 1);
        hour.count = hour.updates.reduce((count, updates) => count + Math.sign(updates), 0);
      }
      track.revision++;
      this.#revision++;
    }
  }

  /** Raises `completeUntilMs`; never lowers it. */
  advance(untilMs: number): void {
    this.#completeUntilMs = Math.max(this.#completeUntilMs, untilMs);
  }

  getHours(symbol: string): readonly HourColumns[] {
    return this.#tracks.get(symbol)?.hours ?? NO_HOURS;
  }

  /** Raised with every second of this symbol. */
  getRevision(symbol: string): number {
    return this.#tracks.get(symbol)?.revision ?? 0;
  }

  /** Writes a row, replacing the same second. Returns whether that changed it. Rows of an unknown symbol are ignored. */
  write(row: SecondRow): boolean {
    const track = this.#tracks.get(row.symbol) ?? this.#openTrack(row.symbol);
    if (track === undefined) return false;
    if (writeSecond(openHour(track, row), row) === "same") return false;
    track.revision++;
    this.#revision++;
    this.#newestSecond = Math.max(this.#newestSecond, row.second);
    return true;
  }

  /** A symbol has a track from its first row on, so that thousands without prices take no memory. */
  #openTrack(symbol: string): Track | undefined {
    if (!this.#instruments.some((each) => each.symbol === symbol)) return undefined;
    const track: Track = { hours: NO_HOURS, revision: 0 };
    this.#tracks.set(symbol, track);
    return track;
  }

  /** The row of a second; undefined if nothing was recorded. */
  readSecond(symbol: string, second: number): SecondRow | undefined {
    const hourMs = getHourStart(second);
    const hour = this.#tracks.get(symbol)?.hours.find((each) => each.hourMs === hourMs);
    return hour && readRow(hour, second);
  }

  /** One hour of all symbols that have it. */
  getColumns(hourMs: number): readonly HourColumns[] {
    return Array.from(this.#tracks.values()).flatMap(({ hours }) => hours.filter((hour) => hour.hourMs === hourMs));
  }

  /** When the open hours began, oldest first: UTC milliseconds. */
  listStarts(): readonly number[] {
    const starts = new Set<number>();
    for (const { hours } of this.#tracks.values()) for (const { hourMs } of hours) starts.add(hourMs);
    return [...starts].sort((a, b) => a - b);
  }

  /** Removes an hour that was closed. */
  remove(hourMs: number): void {
    for (const track of this.#tracks.values()) {
      const left = track.hours.filter((hour) => hour.hourMs !== hourMs);
      if (left.length === track.hours.length) continue;
      track.hours = left;
      track.revision++;
      this.#revision++;
    }
  }
}

/** When the hour of a Unix second began: UTC milliseconds. */
export function getHourStart(second: number): number {
  return Math.floor(second / SECONDS_PER_HOUR) * HOUR_MS;
}

function openHour(track: Track, { symbol, digits, second }: SecondRow): HourColumns {
  const hourMs = getHourStart(second);
  for (const hour of track.hours) if (hour.hourMs === hourMs) return hour;
  const hour = createHourColumns(symbol, digits, hourMs);
  track.hours = [...track.hours, hour].sort((a, b) => a.hourMs - b.hourMs);
  return hour;
}

function readRow(hour: HourColumns, second: number): SecondRow | undefined {
  const at = second - hour.hourMs / 1000;
  const updates = hour.updates[at] ?? 0;
  if (updates === 0) return undefined;
  return {
    symbol: hour.symbol,
    digits: hour.digits,
    second,
    bid: hour.bid[at] as number,
    ask: hour.ask[at] as number,
    open: hour.open[at] as number,
    high: hour.high[at] as number,
    low: hour.low[at] as number,
    updates,
  };
}
