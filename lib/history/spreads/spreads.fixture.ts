import { afterAll, beforeAll, beforeEach } from "vitest";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import type { OpenHours } from "@/lib/history/open-hours";
import { Spreads } from "@/lib/history/spreads/spreads";
import { USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, createSessions } from "@/lib/market/sessions/sessions";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

export const NOW_MS = Date.parse("2026-11-20T15:42:17.300Z");
export const NOW_HOUR_MS = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;

/** A database for the tests of a `describe`, without spreads before each of them, and what they do with it. */
export function useSpreads() {
  let database: TestDatabase;
  const clock = { nowMs: NOW_MS };
  const openHours = createFakeOpenHours();
  const getPool = () => database.db.pool;
  beforeAll(async () => void (database = await openTestDatabase()));
  afterAll(() => database.cleanup());
  beforeEach(async () => {
    clock.nowMs = NOW_MS;
    openHours.set([]);
    await getPool().query("TRUNCATE spread_hour");
  });

  return {
    clock,
    openHours,
    getPool,
    open(): Spreads {
      const names = { instruments: [{ symbol: "EURUSD" }], sources: ["alpha", "beta"] };
      return new Spreads({ pool: getPool(), openHours, sessions, now: () => clock.nowMs, ...names });
    },
    async write(columns: readonly HourColumns[], { store }: Spreads): Promise<void> {
      const client = await getPool().connect();
      await store.writeHour(client, columns).finally(() => client.release());
    },
  };
}

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
    writeSecond(columns, {
      symbol,
      digits: 5,
      second,
      bid,
      ask: bid + spread,
      open: bid,
      high: bid,
      low: bid,
      updates: 1,
    });
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

export const sessions = createSessions({ hours: USUAL_SESSION_HOURS, holidays: CITY_HOLIDAYS });

/** Computes the statistics of spreads from every second. */
export function computeByBruteForce(recorded: readonly RecordedSpread[], startMs: number) {
  const inWindow = recorded.filter(({ second }) => second * 1000 >= startMs);
  const spreads = inWindow.map(({ spread }) => spread).sort((one, other) => one - other);
  const during = (...names: readonly string[]) =>
    average(inWindow.filter(({ second }) => sessions.openAt(second * 1000).some((name) => names.includes(name))));
  const n = spreads.length;
  const mean = spreads.reduce((sum, spread) => sum + spread, 0) / n;
  return {
    n,
    mean,
    min: spreads[0],
    max: spreads.at(-1),
    deviation: Math.sqrt(spreads.reduce((sum, spread) => sum + (spread - mean) ** 2, 0) / n),
    asian: during("sydney", "tokyo"),
    london: during("london"),
    newYork: during("new_york"),
    percentiles: [5, 25, 50, 75, 95].map((percent) => spreads[Math.ceil((percent * n) / 100) - 1]),
  };
}

function average(recorded: readonly RecordedSpread[]): number | null {
  return recorded.length === 0 ? null : recorded.reduce((sum, { spread }) => sum + spread, 0) / recorded.length;
}

export function toWholeSecond(recorded: RecordedSpread): RecordedSpread {
  return { ...recorded, second: Math.floor(recorded.second) };
}
