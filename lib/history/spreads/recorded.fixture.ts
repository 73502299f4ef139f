import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import type { OpenHours } from "@/lib/history/open-hours";
import { HOUR_MS } from "@/lib/time/units";

/** One recorded second of a test: its time, and its spread in points. */
export interface RecordedSpread {
  readonly symbol: string;
  readonly second: number;
  readonly spread: number;
}

/** The hours of recorded seconds, oldest first. Bids are arbitrary: only spreads matter. */
export function toColumns(recorded: readonly RecordedSpread[]): HourColumns[] {
  const hours = new Map<string, HourColumns>();
  for (const { symbol, second, spread } of recorded) {
    const hourMs = Math.floor((second * 1000) / HOUR_MS) * HOUR_MS;
    const key = `${symbol} ${hourMs}`;
    const columns = hours.get(key) ?? createHourColumns(symbol, 5, hourMs);
    hours.set(key, columns);
    const bid = 108_000 + (second % 7);
    writeSecond(columns, { symbol, second, bid, ask: bid + spread, open: bid, high: bid, low: bid, updates: 1 });
  }
  return [...hours.values()].sort((one, other) => one.hourMs - other.hourMs);
}

/** Open hours that a test fills and closes itself. */
export function createFakeOpenHours(): OpenHours & { set(hours: readonly HourColumns[]): void } {
  let hours: readonly HourColumns[] = [];
  let revision = 0;
  return {
    getHours: (symbol) => hours.filter((columns) => columns.symbol === symbol),
    get revision() {
      return revision;
    },
    set(next) {
      hours = next;
      revision++;
    },
  };
}
