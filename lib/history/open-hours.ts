import type { OpenHours } from "@/lib/history/history";
import {
  createHourColumns,
  type HourColumns,
  type SecondRow,
  SECONDS_PER_HOUR,
  writeSecond,
} from "@/lib/history/hour-columns";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

/** The open hours as their keeper sees them: the rows that were written down go in, and closed hours out. */
export interface OpenHoursKeeper extends OpenHours {
  /** Raised with every second of this symbol. */
  getRevision(symbol: string): number;
  /** Everything heard before this moment of the market clock has been written down: UTC milliseconds. */
  readonly completeUntilMs: number;
  advance(untilMs: number): void;
  /** Writes a row over what its second held. A symbol nobody knows is passed over. */
  write(row: SecondRow): void;
  /** What a second holds; undefined where nothing was recorded. */
  readSecond(symbol: string, second: number): SecondRow | undefined;
  /** Everything recorded in one hour, all symbols. */
  getColumns(hourMs: number): readonly HourColumns[];
  /** When the open hours began, oldest first: UTC milliseconds. */
  listStarts(): readonly number[];
  /** Forgets an hour that was closed. */
  drop(hourMs: number): void;
}

interface Shelf {
  readonly digits: number;
  hours: readonly HourColumns[];
  revision: number;
}

const NONE: readonly HourColumns[] = [];

export function createOpenHours(instruments: readonly Pick<Instrument, "symbol" | "digits">[]): OpenHoursKeeper {
  const shelves = new Map<string, Shelf>(
    instruments.map(({ symbol, digits }) => [symbol, { digits, hours: NONE, revision: 0 }]),
  );
  let revision = 0;
  let completeUntilMs = 0;

  function hourOf(shelf: Shelf, symbol: string, second: number): HourColumns {
    const hourMs = startOfHour(second);
    for (const hour of shelf.hours) if (hour.hourMs === hourMs) return hour;
    const hour = createHourColumns(symbol, shelf.digits, hourMs);
    shelf.hours = [...shelf.hours, hour].sort((a, b) => a.hourMs - b.hourMs);
    return hour;
  }

  return {
    getHours: (symbol) => shelves.get(symbol)?.hours ?? NONE,
    get revision() {
      return revision;
    },
    get completeUntilMs() {
      return completeUntilMs;
    },
    advance: (untilMs) => void (completeUntilMs = Math.max(completeUntilMs, untilMs)),
    getRevision: (symbol) => shelves.get(symbol)?.revision ?? 0,
    write(row) {
      const shelf = shelves.get(row.symbol);
      if (shelf === undefined) return;
      if (writeSecond(hourOf(shelf, row.symbol, row.second), row) === "same") return;
      shelf.revision++;
      revision++;
    },
    readSecond(symbol, second) {
      const hourMs = startOfHour(second);
      const hour = shelves.get(symbol)?.hours.find((each) => each.hourMs === hourMs);
      return hour && readSecond(hour, second);
    },
    getColumns: (hourMs) =>
      Array.from(shelves.values()).flatMap(({ hours }) => hours.filter((hour) => hour.hourMs === hourMs)),
    listStarts() {
      const starts = new Set<number>();
      for (const { hours } of shelves.values()) for (const { hourMs } of hours) starts.add(hourMs);
      return [...starts].sort((a, b) => a - b);
    },
    drop(hourMs) {
      for (const shelf of shelves.values()) {
        const left = shelf.hours.filter((hour) => hour.hourMs !== hourMs);
        if (left.length === shelf.hours.length) continue;
        shelf.hours = left;
        shelf.revision++;
        revision++;
      }
    },
  };
}

/** The hour that holds a second of Unix time: UTC milliseconds. */
export function startOfHour(second: number): number {
  return Math.floor(second / SECONDS_PER_HOUR) * HOUR_MS;
}

function readSecond(hour: HourColumns, second: number): SecondRow | undefined {
  const at = second - hour.hourMs / 1000;
  const updates = hour.updates[at] ?? 0;
  if (updates === 0) return undefined;
  const [bid, ask, open, high, low] = [hour.bid[at], hour.ask[at], hour.open[at], hour.high[at], hour.low[at]] as [
    number,
    number,
    number,
    number,
    number,
  ];
  return { symbol: hour.symbol, second, bid, ask, open, high, low, updates };
}
