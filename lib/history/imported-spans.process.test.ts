import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fillSymbol } from "@/lib/history/backfill/fill-symbol";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { clearImports, formatTicks, importText, type Tick } from "@/lib/history/import/import.fixture";
import { removeImports } from "@/lib/history/import/imported-hours";
import { readSpans } from "@/lib/history/imported-spans";
import { Origins } from "@/lib/history/origins";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** A Friday, 18:00. */
const START = Date.UTC(2024, 4, 10, 18);
const MONDAY = START + 3 * DAY_MS;
const EURUSD = { symbol: "EURUSD", digits: 5 };
const recording = { log: silentLog, readFence: () => FIRST_FENCE };

/** One tick a minute of some hours. */
function listTicks(fromMs: number, hours: number): Tick[] {
  return Array.from({ length: hours * 60 }, (_, at) => [fromMs + at * MINUTE_MS, 108_000 + (at % 9), 108_010]);
}

describe("the data mode of imported history", () => {
  let testDatabase: TestDatabase;
  let origins: Origins;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());
  beforeEach(async () => {
    await clearImports(getPool());
    for (const table of ["backfill", "history_origin"]) await getPool().query(`DELETE FROM ${table}`);
    origins = new Origins({ pool: getPool(), ...recording });
    origins.note("EURUSD", "simulated", 0);
    await origins.stop();
  });

  const getPool = () => testDatabase.db.pool;
  const importTicks = (ticks: readonly Tick[], source = "csv") =>
    importText(getPool(), "eurusd.csv", formatTicks(ticks), { source });
  const remove = (source: string) =>
    removeImports(getPool(), { symbol: "EURUSD", source, priority: [], spreadsFromMs: 0 });
  const findMode = async (fromMs?: number, toMs?: number) => {
    await origins.load();
    return origins.findMode("EURUSD", fromMs, toMs);
  };
  /** Closes an hour in which the recorder had a price in some minutes. */
  const record = async (hourMs: number, minutes: readonly number[]) => {
    const prices = { digits: 5, bid: 107_000, ask: 107_009, open: 107_000, high: 107_000, low: 107_000, updates: 1 };
    const toRow = (minute: number): SecondRow => ({ symbol: "EURUSD", second: hourMs / 1000 + minute * 60, ...prices });
    const keeper = new HistoryKeeper({ pool: getPool(), instruments, marketNow: () => hourMs + HOUR_MS });
    await journalRows(getPool(), minutes.map(toRow));
    keeper.onRecorded(minutes.map(toRow), hourMs + HOUR_MS);
    await keeper.close(hourMs, FIRST_FENCE);
  };

  test("what is imported is live, the rest is as it was, and a removal undoes it", async () => {
    expect(await findMode(START, START + HOUR_MS)).toBe("simulated");
    await importTicks(listTicks(START, 2));
    expect(await findMode(START, START + 2 * HOUR_MS)).toBe("live");
    expect(await findMode(START + MINUTE_MS, START + HOUR_MS)).toBe("live");
    expect(await findMode(START - 1, START + HOUR_MS)).toBe("simulated");
    expect(await findMode(START, START + 2 * HOUR_MS + 1)).toBe("simulated");
    expect(await findMode()).toBe("simulated");
    await remove("csv");
    expect(await findMode(START, START + HOUR_MS)).toBe("simulated");
    expect(await readSpans(getPool())).toEqual(new Map());
  });

  test("a weekend without prices is no gap between imported days, in any order of their imports", async () => {
    await importTicks(listTicks(MONDAY, 2), "second");
    await importTicks(listTicks(START, 2), "first");
    expect(await findMode(START, MONDAY + 2 * HOUR_MS)).toBe("live");
    await importTicks(listTicks(START + DAY_MS, 1), "third");
    await remove("third");
    expect(await findMode(START, MONDAY + 2 * HOUR_MS)).toBe("live");
    await remove("first");
    expect(await findMode(START, MONDAY)).toBe("simulated");
    expect(await findMode(MONDAY, MONDAY + 2 * HOUR_MS)).toBe("live");
  });

  test("an hour that is recorded between imported ones stays simulated, minute by minute where both are", async () => {
    await importTicks(listTicks(START, 2));
    await importTicks(listTicks(MONDAY, 2));
    await record(START + DAY_MS, [5]);
    expect(await findMode(START, START + 2 * HOUR_MS)).toBe("live");
    expect(await findMode(START, MONDAY)).toBe("simulated");
    expect(await findMode(MONDAY, MONDAY + 2 * HOUR_MS)).toBe("live");
    const mixed = START + 2 * HOUR_MS;
    await record(mixed, [30]);
    await importTicks(listTicks(mixed, 1));
    expect(await findMode(START, mixed + 30 * MINUTE_MS)).toBe("live");
    expect(await findMode(mixed + 30 * MINUTE_MS, mixed + 31 * MINUTE_MS)).toBe("simulated");
    expect(await findMode(mixed + 31 * MINUTE_MS, mixed + HOUR_MS)).toBe("live");
    await record(MONDAY, [7]);
    expect(await findMode(MONDAY, MONDAY + HOUR_MS)).toBe("simulated");
    expect(await findMode(MONDAY + 8 * MINUTE_MS, MONDAY + 2 * HOUR_MS)).toBe("live");
  });

  test("what was imported of a simulated source is simulated, minute by minute where others were, and a removal undoes it", async () => {
    await getPool().query("UPDATE history_origin SET mode = 'live' WHERE symbol = 'EURUSD'");
    await importTicks(listTicks(START, 2), "simulated-csv");
    await importTicks(listTicks(MONDAY, 2), "csv");
    expect(await findMode(START, START + HOUR_MS)).toBe("simulated");
    expect(await findMode(MONDAY, MONDAY + 2 * HOUR_MS)).toBe("live");
    expect(await findMode(START - HOUR_MS, START)).toBe("live");
    expect(await findMode()).toBe("simulated");
    // A real source comes before a simulated one, and replaces its minutes.
    await importTicks(listTicks(START, 1).slice(20, 30), "csv");
    const minute = (at: number) => START + at * MINUTE_MS;
    expect(await findMode(minute(20), minute(30))).toBe("live");
    expect(await findMode(minute(19), minute(20))).toBe("simulated");
    expect(await findMode(minute(30), minute(31))).toBe("simulated");
    // An import around a mixed hour leaves it as it is.
    await importTicks([...listTicks(START - HOUR_MS, 1), ...listTicks(START + HOUR_MS, 1)], "simulated-other");
    expect(await findMode(minute(20), minute(30))).toBe("live");
    expect((await readSpans(getPool())).get("EURUSD")).toMatchObject([
      { since: (START - HOUR_MS) / 1_000, until: minute(20) / 1_000, mode: "simulated" },
      { until: minute(30) / 1_000, mode: "live" },
      { until: (START + 2 * HOUR_MS) / 1_000, mode: "simulated" },
      { since: MONDAY / 1_000, mode: "live" },
    ]);
    for (const source of ["simulated-csv", "simulated-other"]) await remove(source);
    expect(await findMode()).toBe("live");
  });

  test("what back-filling adds between imported hours stays simulated", async () => {
    await importTicks(listTicks(START, 2));
    await importTicks(listTicks(MONDAY, 2));
    const client = await getPool().connect();
    const price = (timeMs: number) => ({ timeMs, bid: 1.07, ask: 1.0701, updates: 1 });
    const read = (fromMs: number, toMs: number, stepMs: number) =>
      Array.from({ length: Math.floor((toMs - fromMs) / stepMs) }, (_, at) => price(fromMs + at * stepMs)).filter(
        ({ timeMs }) => timeMs >= START && timeMs < START + DAY_MS,
      );
    await fillSymbol(client, EURUSD, read, { endMs: MONDAY, findCause: () => ({ kind: "generated" }) });
    client.release();
    expect(await findMode(START, START + 2 * HOUR_MS)).toBe("live");
    expect(await findMode(START, START + 2 * HOUR_MS + 1)).toBe("simulated");
    expect(await findMode(START + 2 * HOUR_MS, START + DAY_MS)).toBe("simulated");
    expect(await findMode(MONDAY, MONDAY + 2 * HOUR_MS)).toBe("live");
  });

  test("imported bars are live like ticks, and hours of several transactions are one span", async () => {
    const minutes = Array.from({ length: 120 * 60 }, (_, at) => `${START + at * MINUTE_MS},1.08,1.081,1.079,1.0805,9`);
    await importText(getPool(), "eurusd.csv", ["time,open,high,low,close,volume", ...minutes].join("\n"));
    const seconds = [START / 1000, START / 1000 + 120 * 3_600];
    expect((await readSpans(getPool())).get("EURUSD")).toEqual([
      { since: seconds[0], until: seconds[1], mode: "live" },
    ]);
  });

  test("imports from before the spans get the same ones by the migration", async () => {
    await importTicks(listTicks(START, 2));
    await importTicks(listTicks(MONDAY, 2));
    await record(START + DAY_MS, [5]);
    await importTicks(listTicks(MONDAY + DAY_MS, 1));
    const spans = await readSpans(getPool());
    expect(spans.get("EURUSD")).toHaveLength(2);
    await getPool().query("DELETE FROM imported_span");
    const migration = readFileSync("prisma/migrations/20261122131000_imported_spans/migration.sql", "utf8");
    await getPool().query(migration.slice(migration.indexOf("INSERT INTO")));
    expect(await readSpans(getPool())).toEqual(spans);
  });

  test("a running server follows an import by itself", async () => {
    const running = new Origins({ pool: getPool(), ...recording });
    await running.start();
    expect(running.findMode("EURUSD", START, START + HOUR_MS)).toBe("simulated");
    await importTicks(listTicks(START, 1));
    await vi.waitFor(() => expect(running.findMode("EURUSD", START, START + HOUR_MS)).toBe("live"), 20_000);
    await remove("csv");
    await vi.waitFor(() => expect(running.findMode("EURUSD", START, START + HOUR_MS)).toBe("simulated"), 20_000);
    await running.stop();
  });
});
